L0:
(W)     mov (16|M0)              r127.0<1>:ud  0x0:ud
(W)     and (1|M0)               r127.2<1>:ud  r0.0<0;1,0>:ud    0xFFFFFFC0:ud
(W)     and (1|M0)               r127.0<1>:uw  r0.4<0;1,0>:uw    0xFF:uw
(W)     add (1|M0)               r127.2<1>:ud  r127.2<0;1,0>:ud  0x20:ud              {I@2}
(W)     add (1|M0)               r127.2<1>:ud  r127.2<0;1,0>:ud  0x0:ud              {I@1}
(W)     mad (1|M0)               r127.0<1>:ud  r127.2<0;0>:ud    r127.0<0;0>:uw    0x80:uw              {I@1}
(W)     mov (8|M0)               r3.0<1>:ud    r1.0<1;1,0>:ud
(W)     send.ugm (1|M0)          r1       r127  null:0  0xFF000000            0x6229E500           {A@1,$0} // wr:1+0, rd:2; load.ugm.d32x32t.a32.ca.cc.bti[255]
(W)     and (1|M0)               r127.0<1>:ud  r0.0<0;1,0>:ud    0xFFFFFFC0:ud              {$0.src}
(W)     add (1|M0)               r127.0<1>:ud  r127.0<0;1,0>:ud  0x0:ud              {I@1}
(W)     send.ugm (1|M0)          r4       r127  null:0  0xFF000000            0x6219C500           {I@1,$1} // wr:1+0, rd:1; load.ugm.d32x8t.a32.ca.cc.bti[255]
(W)     mov (16|M0)              r5.0<1>:ud    r0.0<1;1,0>:ud
(W)     or (1|M0)                cr0.0<1>:ud   cr0.0<0;1,0>:ud   0x400004C0:ud              {A@1}
(W)     mul (1|M0)               acc0.0<1>:d   r3.3<0;1,0>:d     r5.2<0;1,0>:uw   {A@1}
(W)     macl (1|M0)              r6.0<1>:d     r3.3<0;1,0>:d     r5.1<0;1,0>:d    {Compacted}
(W)     mul (1|M0)               acc0.0<1>:d   r3.4<0;1,0>:d     r5.12<0;1,0>:uw
(W)     macl (1|M0)              r11.0<1>:d    r3.4<0;1,0>:d     r5.6<0;1,0>:d    {Compacted}
(W)     cmp (32|M0)   (gt)f1.0   null<1>:d     r4.4<0;1,0>:d     0:w               {$1.dst}
        add (32|M0)              r7.0<1>:d     r6.0<0;1,0>:d     r1.0<1;1,0>:uw   {@4,$0.dst}
        add3 (32|M0)             r9.0<1>:d     r6.0<0;0>:d       r1.0<1;0>:uw      r3.0<0>:d
        add3 (32|M0)             r12.0<1>:d    r11.0<0;0>:d      r2.0<1;0>:uw      r3.1<0>:d        {I@4}
(W&f1.0) jmpi                                L368
L336:
        mov (32|M0)              r14.0<1>:d    0:w
(W)     jmpi                                 L656
L368:
        mov (32|M0)              r17.0<1>:f    r9.0<1;1,0>:d                    {I@5}
        mov (32|M0)              r21.0<1>:f    r12.0<1;1,0>:d                   {I@4}
        mov (32|M0)              r26.0<1>:ud   0x0:ud                              {Compacted}
        mov (32|M0)              r28.0<1>:ud   0x0:ud                              {Compacted}
        mad (32|M0)              r19.0<1>:f    r4.0<0;0>:f       r17.0<1;0>:f      r4.2<0>:f        {F@2}
        mad (32|M0)              r23.0<1>:f    r4.1<0;0>:f       r21.0<1;0>:f      r4.2<0>:f        {F@2}
(W)     mov (1|M0)               r3.8<1>:d     0:w
L464:
        mul (32|M0)              r30.0<1>:f    r28.0<1;1,0>:f    r28.0<1;1,0>:f   {Compacted,I@2}
        mul (32|M0)              r32.0<1>:f    r26.0<1;1,0>:f    r26.0<1;1,0>:f   {Compacted}
        add (32|M0)              acc0.0<1>:f   r30.0<1;1,0>:f    r32.0<1;1,0>:f   {Compacted,F@1}
        cmp (32|M0)   (gt)f2.0   null<1>:f     acc0.0<1;1,0>:f   4.0:f
        mov (32|M0)              r14.0<1>:d    r3.8<0;1,0>:d                    {Compacted,I@1}
(f2.0)  goto (32|M0)                         L656                  L656
L528:
(W)     add (1|M0)               r3.8<1>:d     r3.8<0;1,0>:d     1:w
(W)     cmp (32|M0)   (lt)f0.0   null<1>:d     r3.8<0;1,0>:d     r4.4<0;1,0>:d    {I@1}
(W&f0.0) jmpi                                L600
L576:
        mov (32|M0)              r14.0<1>:d    r3.8<0;1,0>:d                    {Compacted}
        goto (32|M0)                         L656                  L656
L600:
        mul (32|M0)              acc0.0<1>:f   r28.0<1;1,0>:f    2.0:f               {Compacted}
        mad (32|M0)              r26.0<1>:f    r23.0<1;0>:f      acc0.0<1;0>:f     r26.0<1>:f       {Compacted}
        add (32|M0)              acc0.0<1>:f   r30.0<1;1,0>:f    -r32.0<1;1,0>:f  {Compacted}
        add (32|M0)              r28.0<1>:f    acc0.0<1;1,0>:f   r19.0<1;1,0>:f
(W)     jmpi                                 L464
L656:
        join (32|M0)                         L672
L672:
        mov (32|M0)              r16.0<1>:b    r14.0<4;1,0>:b                   {I@4}
(W)     mul (16|M0)              acc0.0<1>:d   r12.0<1;1,0>:d    r4.6<0;1,0>:uw   {F@1}
        mov (32|M0)              r25.0<1>:w    r16.0<1;1,0>:b                   {I@2}
        macl (16|M0)             r42.0<1>:d    r12.0<1;1,0>:d    r4.3<0;1,0>:d    {Compacted}
(W)     mul (16|M16)             acc0.0<1>:d   r13.0<1;1,0>:d    r4.6<0;1,0>:uw
        mul (32|M0)              r34.0<1>:w    r25.0<1;1,0>:w    3:w               {I@3}
        macl (16|M16)            r43.0<1>:d    r13.0<1;1,0>:d    r4.3<0;1,0>:d    {Compacted}
        mul (32|M0)              r25.0<1>:w    r25.0<1;1,0>:w    7:w
        add3 (32|M0)             r39.0<1>:d    r42.0<1;0>:d      r7.0<1;0>:d       r3.0<0>:d        {I@2}
        mov (32|M0)              r37.0<2>:b    r34.0<1;1,0>:w
        mov (32|M0)              r35.0<1>:b    r16.0<1;1,0>:b
        mov (32|M0)              r38.0<2>:b    r25.0<1;1,0>:w                   {I@4}
(W)     mov (1|M0)               r3.36<2>:b    -1:w
        mov (16|M0)              r50.0<2>:ud   r39.0<1;1,0>:ud                  {Compacted,I@5}
        mov (16|M16)             r52.0<2>:ud   r40.0<1;1,0>:ud                  {Compacted}
        mov (32|M0)              r35.32<1>:b   r37.0<2;1,0>:b                   {I@6}
        mov (32|M0)              r48.0<4>:b    r35.0<1;1,0>:b                   {I@6}
        mov (32|M0)              r36.0<1>:b    r38.0<2;1,0>:b                   {I@6}
        mov (32|M0)              r36.32<1>:b   r3.36<0;1,0>:b                   {I@6}
        shl (16|M0)              r54.0<1>:q    r50.0<2;1,0>:d    2:w               {I@6}
        shl (16|M16)             r56.0<1>:q    r52.0<2;1,0>:d    2:w               {I@6}
        mov (32|M0)              r48.1<4>:b    r35.32<1;1,0>:b                  {I@5}
        mov (32|M0)              r48.2<4>:b    r36.0<1;1,0>:b                   {I@1}
        add (16|M0)              r44.0<1>:q    r54.0<1;1,0>:q    r3.3<0;1,0>:q    {Compacted}
        add (16|M16)             r46.0<1>:q    r56.0<1;1,0>:q    r3.3<0;1,0>:q    {Compacted}
        mov (32|M0)              r48.3<4>:b    r36.32<1;1,0>:b                  {I@3}
        send.ugm (32|M0)         null     r44  r48:2  0x0            0x08000584           {I@1,$2} // wr:4+2, rd:0; store.ugm.d32.a64
(W)     mov (16|M0)              r127.0<1>:f   r5.0<1;1,0>:f
(W)     send.gtwy (1|M0)         null     r127  null:0  0x0            0x02000010           {EOT,F@1,$3} // wr:1+0, rd:0; end of thread
L1088:
(W)     mov (16|M0)              null<1>:ud    0x53C03692:ud
(W)     mov (16|M0)              null<1>:ud    0xCE0EC940:ud
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
