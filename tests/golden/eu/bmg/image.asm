L0:
(W)     mov (16|M0)              r127.0<1>:ud  0x0:ud
(W)     and (1|M0)               r127.2<1>:ud  r0.0<0;1,0>:ud    0xFFFFFFC0:ud
(W)     and (1|M0)               r127.0<1>:uw  r0.4<0;1,0>:uw    0xFF:uw
(W)     add (1|M0)               r127.2<1>:ud  r127.2<0;1,0>:ud  0x40:ud              {I@2}
(W)     add (1|M0)               r127.2<1>:ud  r127.2<0;1,0>:ud  0x0:ud              {I@1}
(W)     mad (1|M0)               r127.0<1>:ud  r127.2<0;0>:ud    r127.0<0;0>:uw    0x80:uw              {I@1}
(W)     mov (8|M0)               r3.0<1>:ud    r1.0<1;1,0>:ud
(W)     send.ugm (1|M0)          r1       r127  null:0  0xFF000000            0x6229E500           {A@1,$0} // wr:1+0, rd:2; load.ugm.d32x32t.a32.ca.cc.bti[255]
(W)     and (1|M0)               r127.0<1>:ud  r0.0<0;1,0>:ud    0xFFFFFFC0:ud              {$0.src}
(W)     add (1|M0)               r127.0<1>:ud  r127.0<0;1,0>:ud  0x0:ud              {I@1}
(W)     send.ugm (1|M0)          r4       r127  null:0  0xFF000000            0x6219D500           {I@1,$1} // wr:1+0, rd:1; load.ugm.d32x16t.a32.ca.cc.bti[255]
(W)     mov (16|M0)              r6.0<1>:ud    r0.0<1;1,0>:ud
(W)     or (1|M0)                cr0.0<1>:ud   cr0.0<0;1,0>:ud   0x400004C0:ud              {A@1}
(W)     mul (1|M0)               acc0.0<1>:d   r3.3<0;1,0>:d     r6.2<0;1,0>:uw   {A@1}
(W)     macl (1|M0)              r4.0<1>:d     r3.3<0;1,0>:d     r6.1<0;1,0>:d    {Compacted,$1.dst}
(W)     mul (1|M0)               acc0.0<1>:d   r3.4<0;1,0>:d     r6.12<0;1,0>:uw
(W)     macl (1|M0)              r5.0<1>:d     r3.4<0;1,0>:d     r6.6<0;1,0>:d    {Compacted}
(W)     mov (2|M0)               r3.7<1>:d     r4.2<1;1,0>:d
        add3 (32|M0)             r7.0<1>:d     r4.0<0;0>:d       r1.0<1;0>:uw      r3.0<0>:d        {@4,$0.dst}
        add3 (32|M0)             r9.0<1>:d     r5.0<0;0>:d       r2.0<1;0>:uw      r3.1<0>:d        {I@3}
(W)     or (1|M0)                r3.10<1>:d    r4.2<0;1,0>:d     1:w
(W)     mov (1|M0)               a0.2<2>:ud    r4.3<0;1,0>:uq                   {F@1}
(W)     mov (1|M0)               r3.11<1>:d    r3.8<0;1,0>:d                    {I@5}
        mov (32|M0)              r11.0<1>:f    r7.0<1;1,0>:d                    {I@5}
        mov (32|M0)              r17.0<1>:f    r9.0<1;1,0>:d                    {I@4}
(W)     mov (1|M0)               a0.4<2>:ud    r4.2<0;1,0>:uq
(W)     mov (1|M0)               r3.12<2>:d    r3.5<0;1,0>:q                    {I@2}
        mul (32|M0)              r13.0<1>:f    r11.0<1;1,0>:f    r3.6<0;1,0>:f    {Compacted,F@2}
        mul (32|M0)              r15.0<1>:f    r17.0<1;1,0>:f    r3.6<0;1,0>:f    {Compacted,F@2}
        send.smpl (32|M0)        r28      r7  r9:2  a0.2        0x0485A0FC           {ExBSO,$2} // wr:2+2, rd:8; simd32 ld_lz:u,v,r using sampler index 0
(W)     mov (16|M0)              r27.0<1>:f    r6.0<1;1,0>:f                    {Compacted}
(W)     mov (1|M0)               r27.2<1>:f    0.0:f                               {Compacted}
(W)     mov (1|M0)               r27.4<1>:ud   0x0:ud                              {F@2}
(W)     mov (1|M0)               r27.3<1>:d    r3.12<0;1,0>:d                   {I@2}
(W)     mov (1|M0)               r4.1<1>:f     3.921569e-03:f
        send.smpl (32|M0)        r19      r27  r13:4  a0.4        0x028D80FC           {ExBSO,A@1,$3} // wr:1h+4, rd:8; simd32 sample_lz:u,v,r,ai using sampler index 0
(W)     mov (1|M0)               a0.0<2>:ud    r4.4<0;1,0>:uq
        mov (32|M0)              r43.0<1>:d    r7.0<1;1,0>:d                    {Compacted}
        mov (32|M0)              r45.0<1>:d    r9.0<1;1,0>:d                    {Compacted}
(W)     mov (16|M0)              r127.0<1>:ud  r6.0<1;1,0>:ud
        mov (32|M0)              r37.0<1>:f    r28.0<1;1,0>:ud                  {$2.dst}
        mov (32|M0)              r39.0<1>:f    r30.0<1;1,0>:ud
        mov (32|M0)              r41.0<1>:f    r32.0<1;1,0>:ud
        mov (32|M0)              r49.0<1>:f    r34.0<1;1,0>:ud
        mad (32|M0)              r51.0<1>:f    r19.0<1;0>:f      r37.0<1;0>:f      r4.1<0>:f        {Compacted,@4,$3.dst}
        mad (32|M0)              r53.0<1>:f    r21.0<1;0>:f      r39.0<1;0>:f      r4.1<0>:f        {Compacted,F@4}
        mad (32|M0)              r55.0<1>:f    r23.0<1;0>:f      r41.0<1;0>:f      r4.1<0>:f        {Compacted,F@4}
        mad (32|M0)              r57.0<1>:f    r25.0<1;0>:f      r49.0<1;0>:f      r4.1<0>:f        {Compacted,F@4}
        send.tgm (32|M0)         null     r43  r51:8  a0.0        0x2800F506           {ExBSO,A@1,$4} // wr:4+8, rd:0; store_quad.tgm.d32.xyzw.a32.bss[a0.0]; u,v
(W)     send.gtwy (1|M0)         null     r127  null:0  0x0            0x02000010           {EOT,I@1,$5} // wr:1+0, rd:0; end of thread
L704:
(W)     mov (16|M0)              null<1>:ud    0x61D72203:ud
(W)     mov (16|M0)              null<1>:ud    0x1097C18F:ud
(W)     mov (16|M0)              null<1>:ud    0x0:ud
(W)     mov (16|M0)              null<1>:ud    0x1:ud
        illegal
        illegal
        illegal
        illegal
        illegal
        illegal
        illegal
        illegal
