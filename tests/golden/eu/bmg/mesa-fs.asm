L0:
(W)     mov (32|M0)              r25.0<2>:uw   r0.20<2;8,0>:uw
(W)     mov (32|M0)              r27.0<2>:uw   r0.21<2;8,0>:uw
(W)     add (32|M0)              r4.0<1>:uw    r25.0<16;8,2>:uw  0x1000100:v               {I@2}
(W)     add (32|M0)              r5.0<1>:uw    r27.0<16;8,2>:uw  0x1010000:v               {I@2}
(W)     sync.nop                             null                             {I@2}
        mov (16|M0)              r1.0<1>:f     r4.0<16;8,2>:uw
(W)     sync.nop                             null                             {I@1}
        mov (16|M0)              r2.0<1>:f     r5.0<16;8,2>:uw
(W)     mov (1|M0)               f1.0<1>:uw    r0.30<0;1,0>:uw
(W)     mov (16|M0)              r9.0<1>:d     r3.0<0;1,0>:f
        mov (16|M0)              r22.0<1>:ud   0x0:ud                              {Compacted}
        mov (16|M0)              r23.0<1>:f    r3.0<0;1,0>:f                    {Compacted}
        add (16|M0)              r6.0<1>:f     r1.0<1;1,0>:f     0.5:f               {Compacted,F@3}
        add (16|M0)              r7.0<1>:f     r2.0<1;1,0>:f     0.5:f               {Compacted,F@3}
        send.smpl (16|M0)        r10      r22  null:0  0x0            0x0222A001           {I@1,$0} // wr:1+0, rd:2; simd16 sampler_resinfo:lod using sampler index 0
        mad (16|M0)              r8.0<1>:f     r3.5<0;0>:f       r3.4<0;0>:f       r7.0<1>:f        {F@1}
(W)     sync.nop                             null                             {I@2}
        shr (16|M0)              r12.0<1>:ud   r10.0<1;1,0>:ud   r9.0<0;1,0>:ud   {Compacted,$0.dst}
        shr (16|M0)              r13.0<1>:ud   r11.0<1;1,0>:ud   r9.0<0;1,0>:ud   {Compacted,$0.dst}
        sel (16|M0)   (ge)f0.0   r14.0<1>:d    r12.0<8;8,1>:d    1:d               {I@2}
        sel (16|M0)   (ge)f0.0   r15.0<1>:d    r13.0<8;8,1>:d    1:d               {I@2}
        sel (16|M0)   (lt)f0.0   r16.0<1>:d    r10.0<1;1,0>:d    r14.0<1;1,0>:d   {Compacted,I@2}
        sel (16|M0)   (lt)f0.0   r17.0<1>:d    r11.0<1;1,0>:d    r15.0<1;1,0>:d   {Compacted,I@2}
        mov (16|M0)              r18.0<1>:f    r16.0<8;8,1>:d                   {I@2}
        mov (16|M0)              r19.0<1>:f    r17.0<8;8,1>:d                   {I@1}
        math.inv (16|M0)         r20.0<1>:f    r18.0<8;8,1>:f                   {F@2}
        math.inv (16|M0)         r21.0<1>:f    r19.0<8;8,1>:f                   {F@1}
        mul (16|M0)              r24.0<1>:f    r6.0<1;1,0>:f     r20.0<1;1,0>:f   {Compacted,A@2}
(W)     sync.nop                             null                             {A@1}
        mul (16|M0)              r25.0<1>:f    r8.0<1;1,0>:f     r21.0<1;1,0>:f   {Compacted}
        send.smpl (16|M0)        r123     r23  r24:2  0x0            0x02422001           {F@1,$1} // wr:1+2, rd:4; simd16 sample_l:lod_ai,u,v,r using sampler index 0
(W)     sync.nop                             null                             {$1.dst}
        sendc.rc (16|M0)         null     r123  null:0  0x0            0x08031000           {EOT} // wr:4+0, rd:0; render write  last render target select to bti[0].rti[0]
L448:
