L0:
(W)     mov (16|M0)              r127.0<1>:ud  0x0:ud
(W)     and (1|M0)               r127.2<1>:ud  r0.0<0;1,0>:ud    0xFFFFFFC0:ud
(W)     and (1|M0)               r127.0<1>:uw  r0.4<0;1,0>:uw    0xFF:uw
(W)     add (1|M0)               r127.2<1>:ud  r127.2<0;1,0>:ud  0x20:ud              {I@2}
(W)     add (1|M0)               r127.2<1>:ud  r127.2<0;1,0>:ud  0x0:ud              {I@1}
(W)     mad (1|M0)               r127.0<1>:ud  r127.2<0;0>:ud    r127.0<0;0>:uw    0x40:uw              {I@1}
(W)     mov (8|M0)               r2.0<1>:ud    r1.0<1;1,0>:ud
(W)     send.ugm (1|M0)          r1       r127  null:0  0xFF000000            0x6219D500           {A@1,$0} // wr:1+0, rd:1; load.ugm.d32x16t.a32.ca.cc.bti[255]
(W)     and (1|M0)               r127.0<1>:ud  r0.0<0;1,0>:ud    0xFFFFFFC0:ud              {$0.src}
(W)     add (1|M0)               r127.0<1>:ud  r127.0<0;1,0>:ud  0x0:ud              {I@1}
(W)     send.ugm (1|M0)          r3       r127  null:0  0xFF000000            0x6219C500           {I@1,$1} // wr:1+0, rd:1; load.ugm.d32x8t.a32.ca.cc.bti[255]
(W)     mov (16|M0)              r4.0<1>:ud    r0.0<1;1,0>:ud
(W)     or (1|M0)                cr0.0<1>:ud   cr0.0<0;1,0>:ud   0x400004C0:ud              {A@1}
(W)     mul (1|M0)               acc0.0<1>:ud  r2.3<0;1,0>:ud    r4.2<0;1,0>:uw   {A@1}
(W)     macl (1|M0)              r6.0<1>:ud    r2.3<0;1,0>:ud    r4.1<0;1,0>:ud
(W)     mul (1|M0)               acc0.0<1>:ud  r2.3<0;1,0>:ud    r4.2<0;1,0>:uw
(W)     mach (1|M0)              r5.0<1>:d     r2.3<0;1,0>:ud    r4.1<0;1,0>:ud
        mov (16|M0)              r26.0<4>:uw   r1.0<1;1,0>:uw                   {$0.dst}
        mov (16|M16)             r28.0<4>:uw   r1.16<1;1,0>:uw
(W)     mov (1|M0)               r6.1<1>:d     r5.0<0;1,0>:d                    {I@3}
        add (16|M0)              r30.0<1>:q    r6.0<0;1,0>:q     r26.0<4;1,0>:uw  {I@1}
        add (16|M16)             r32.0<1>:q    r6.0<0;1,0>:q     r28.0<4;1,0>:uw
        add (16|M0)              r34.0<1>:q    r30.0<1;1,0>:q    r2.0<0;1,0>:ud   {I@2}
        add (16|M16)             r36.0<1>:q    r32.0<1;1,0>:q    r2.0<0;1,0>:ud   {I@2}
        shl (16|M0)              r38.0<1>:q    r34.0<1;1,0>:q    2:w               {Compacted,I@2}
        shl (16|M16)             r40.0<1>:q    r36.0<1;1,0>:q    2:w               {Compacted,I@2}
        add (16|M0)              r7.0<1>:q     r38.0<1;1,0>:q    r3.0<0;1,0>:q    {Compacted,@2,$1.dst}
        add (16|M16)             r9.0<1>:q     r40.0<1;1,0>:q    r3.0<0;1,0>:q    {Compacted,I@2}
L416:
(W)     mov (1|M0)               r11.0<1>:uq   r2.3<0;1,0>:uq
        send.ugm (32|M0)         r13      r7  null:0  0x0            0x08200580           {I@2,$2} // wr:4+0, rd:2; load.ugm.d32.a64
(W)     send.ugm (1|M0)          r12      r11  null:0  0x0            0x02108580           {I@1,$3} // wr:1+0, rd:1; load.ugm.d32x1t.a64
        mov (16|M0)              r17.0<2>:ud   r2.6<0;1,0>:ud                   {Compacted}
        mov (16|M16)             r19.0<2>:ud   r2.6<0;1,0>:ud                   {Compacted}
        mov (16|M0)              r17.1<2>:ud   r2.7<0;1,0>:ud
        mov (16|M16)             r19.1<2>:ud   r2.7<0;1,0>:ud
        sync.nop                             null                             {Compacted,$3.dst}
        add (32|M0)              r24.0<1>:f    r13.0<1;1,0>:f    r12.0<0;1,0>:f   {Compacted,$2.dst}
        mov (32|M0)              r22.0<1>:f    r12.0<0;1,0>:f
        send.ugm (32|M0)         r15      r17  r22:4  0x0            0x08200592           {A@1,$4} // wr:4+4, rd:2; atomic_icas.ugm.d32.a64
        cmp (32|M0)   (eq)f0.0   null<1>:d     r15.0<1;1,0>:d    r12.0<0;1,0>:d   {$4.dst}
(~f0.0) goto.b (32|M0)                       L592                  L416
L592:
        join (32|M0)                         L608
L608:
(W)     mov (16|M0)              r127.0<1>:f   r4.0<1;1,0>:f
(W)     send.gtwy (1|M0)         null     r127  null:0  0x0            0x02000010           {EOT,F@1,$5} // wr:1+0, rd:0; end of thread
L640:
(W)     mov (16|M0)              null<1>:ud    0xB5A4759B:ud
(W)     mov (16|M0)              null<1>:ud    0x3E2C6622:ud
(W)     mov (16|M0)              null<1>:ud    0x0:ud
(W)     mov (16|M0)              null<1>:ud    0x2:ud
        illegal
        illegal
        illegal
        illegal
        illegal
        illegal
        illegal
        illegal
