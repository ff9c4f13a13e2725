L0:
        send.smpl (16|M0)        r5       r1  null:0  0x0            0x04438000           {$0} // wr:2+0, rd:4; simd16 sample_lz:u,v,r,ai using sampler index 0
(W)     mov (1|M0)               r19.0<1>:d    1063675494:d
        mov (16|M0)              r11.0<1>:ud   0x3C003C00:ud
        mov (16|M0)              r12.0<1>:ud   0x0:ud                              {Compacted}
        mov (16|M0)              r13.0<1>:ud   0x0:ud                              {Compacted}
        mov (16|M0)              r14.0<1>:ud   0x0:ud                              {Compacted}
        mov (16|M0)              r18.0<1>:f    1.2:f
(W)     mov (1|M0)               r19.1<1>:d    1072064102:d                               {I@5}
(W)     sync.nop                             null                             {I@1}
        mad (16|M0)              r15.0<1>:f    -r19.0<0;0>:f     r1.0<8;1>:f       r19.1<0>:f       {$0.src}
        mad (16|M0)              r10.0<1>:f    -r19.0<0;0>:f     r2.0<8;1>:f       r19.1<0>:f       {$0.src}
(W)     mov (1|M0)               r19.2<1>:d    1045220557:d                               {F@1}
(W)     sync.nop                             null                             {A@1}
        mad (16|M0)              r16.0<1>:f    r10.0<8;1>:f      r5.0<8;1>:f       r19.2<0>:f       {$0.dst}
        mul (16|M0)              r9.0<1>:f     r5.0<8;8,1>:f     1.6:f
(W)     mov (1|M0)               r19.3<1>:d    1057132380:d                               {F@2}
        add (16|M0)              r17.0<1>:f    r9.0<8;8,1>:f     -0.8:f               {F@1}
(W)     mov (1|M0)               r19.4<1>:d    1097859072:d                               {I@1}
(W)     sync.nop                             null                             {I@1}
        mad (16|M0)              r122.0<1>:f   r19.3<0;0>:f      r5.0<8;1>:f       r19.4<0>:f
        mad (16|M0)              r123.0<1>:f   r19.3<0;0>:f      r6.0<8;1>:f       r19.4<0>:f       {$0.dst}
        mad (16|M0)              r124.0<1>:f   r19.3<0;0>:f      r7.0<8;1>:f       r19.4<0>:f       {$0.dst}
        mad (16|M0)              r125.0<1>:f   r19.3<0;0>:f      r8.0<8;1>:f       r19.4<0>:f       {$0.dst}
        send.urb (16|M0)         null     r4  r11:8  0x0            0x02024504           {A@5,$1} // wr:1+8, rd:0; store.urb.d32x8.a32.uc.uc
        add (16|M0)              r126.0<1>:ud  r4.0<8;8,1>:ud    0x20:ud              {$1.src}
        send.urb (16|M0)         null     r126  r122:4  0x0            0x02023504           {EOT,A@1} // wr:1+4, rd:0; store.urb.d32x4.a32.uc.uc
L392:
