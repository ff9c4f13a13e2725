L0:
        and (16|M0)              r7.0<1>:ud    r0.2<0;1,0>:ud    0xFF:ud
(W)     add (16|M0)              r9.0<1>:d     r6.0<0;1,0>:d     -1:d
        shr (16|M0)              r8.0<1>:ud    r7.0<8;8,1>:ud    0x0:ud              {I@2}
(W)     mov (8|M0)               r12.0<1>:uw   0x76543210:v
(W)     sync.nop                             null                             {I@2}
        sel (16|M0)   (lt)f0.0   r10.0<1>:ud   r8.0<1;1,0>:ud    r9.0<0;1,0>:ud   {Compacted}
(W)     add (8|M0)               r12.8<1>:uw   r12.0<8;8,1>:uw   0x8:uw              {I@2}
        shl (16|M0)              r14.0<1>:ud   r10.0<8;8,1>:ud   0x6:ud              {I@2}
(W)     sync.nop                             null                             {I@2}
        shl (16|M0)              r13.0<1>:ud   r12.0<8;8,1>:uw   0x2:ud
        add (16|M0)              r15.0<1>:ud   r14.0<1;1,0>:ud   r13.0<1;1,0>:ud  {Compacted,I@1}
(W)     mov (16|M0)              a0.0<1>:uw    0xC0:uw                              {I@1}
        add (16|M0)              a0.0<1>:uw    r15.0<16;8,2>:uw  0xC0:uw
        mov (16|M0)              r16.0<1>:ud   r[a0.0]<1,0>:ud                  {A@1}
        add (16|M0)              r19.0<1>:ud   r16.0<8;8,1>:ud   0x10:ud              {I@1}
        send.urb (16|M0)         r11      r19  null:0  0x0            0x02423500           {I@1,$0} // wr:1+0, rd:4; load.urb.d32x4.a32.uc.uc
        shl (16|M0)              r17.0<1>:ud   r8.0<8;8,1>:ud    0x4:ud
        add (16|M0)              r20.0<1>:ud   r1.0<8;8,1>:ud    0x30:ud
        add (16|M0)              r20.0<1>:ud   r20.0<1;1,0>:ud   r17.0<1;1,0>:ud  {Compacted,I@1}
        mov (16|M0)              r21.0<1>:ud   r11.0<1;1,0>:ud                  {Compacted,$0.dst}
        mov (16|M0)              r22.0<1>:d    r12.0<1;1,0>:d                   {Compacted,$0.dst}
        send.urb (16|M0)         null     r20  r21:2  0x0            0x02023506           {I@1,$1} // wr:1+2, rd:0; store_quad.urb.d32.xy.a32.uc.uc
        add (16|M0)              r22.0<1>:ud   r1.0<8;8,1>:ud    0x20:ud              {$1.src}
        send.urb (16|M0)         null     r22  r2:1  0x0            0x02021506           {I@1,$2} // wr:1+1, rd:0; store_quad.urb.d32.x.a32.uc.uc
        and (16|M0)              r18.0<1>:ud   r2.0<8;8,1>:ud    0x3:ud              {$2.src}
        mov (16|M0)              r124.0<1>:ud  0x40000000:ud
        add (16|M0)              r23.0<1>:ud   r1.0<8;8,1>:ud    0x10:ud
        mov (16|M0)              r125.0<1>:f   r18.0<8;8,1>:d                   {I@3}
        add (16|M0)              r123.0<1>:f   r125.0<1;1,0>:f   1.0:f               {Compacted,F@1}
        send.urb (16|M0)         null     r23  r123:3  0x0            0x0202E506           {A@1,$3} // wr:1+3, rd:0; store_quad.urb.d32.yzw.a32.uc.uc
        add (16|M0)              r126.0<1>:ud  r1.0<8;8,1>:ud    0x10:ud
(W)     sync.nop                             null                             {$3.src}
        send.urb (16|M0)         null     r126  r125:1  0x0            0x02021506           {EOT,I@1} // wr:1+1, rd:0; store_quad.urb.d32.x.a32.uc.uc
L480:
