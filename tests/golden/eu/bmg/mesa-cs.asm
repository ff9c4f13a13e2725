L0:
(W)     mov (16|M0)              r25.0<1>:ud   r0.1<0;1,0>:ud                   {Compacted}
        and (32|M0)              r1.0<1>:ud    r0.2<0;1,0>:ud    0xFF:ud
(W)     mov (32|M0)              r26.0<1>:d    0:d
(W)     shl (16|M0)              r12.0<1>:d    r25.0<0;1,0>:d    0x6:ud              {I@3}
        shl (32|M0)              r3.0<1>:d     r1.0<8;8,1>:d     0x5:ud              {I@3}
(W)     mov (8|M0)               r7.0<1>:uw    0x76543210:v
(W)     send.ugm (1|M0)          r19      r26  null:0  0x0            0x6210D500           {I@4,$0} // wr:1+0, rd:1; load.ugm.d32x16t.a32.bti[0]
(W)     add (8|M0)               r7.8<1>:uw    r7.0<8;8,1>:uw    0x8:uw              {I@1}
(W)     add (16|M0)              r7.16<1>:uw   r7.0<16;16,1>:uw  0x10:uw              {I@1}
(W)     sync.nop                             null                             {I@1}
        mov (32|M0)              r5.0<1>:ud    r7.0<16;16,1>:uw
        add (32|M0)              r8.0<1>:d     r5.0<1;1,0>:d     r3.0<1;1,0>:d    {Compacted,I@1}
        and (32|M0)              r10.0<1>:ud   r8.0<8;8,1>:ud    0x3F:ud              {I@1}
(W)     sync.nop                             null                             {I@1}
        add (32|M0)              r13.0<1>:d    r12.0<0;1,0>:d    r10.0<1;1,0>:d   {Compacted}
        shl (32|M0)              r15.0<1>:d    r13.0<8;8,1>:d    0x2:ud              {I@1}
        send.ugm (32|M0)         r17      r15  null:0  0x1000000            0x64200500           {I@1,$1} // wr:2+0, rd:2; load.ugm.d32.a32.bti[1]
(W)     sync.nop                             null                             {$1.src}
        send.ugm (32|M0)         r22      r15  null:0  0x2000000            0x64200500           {$2} // wr:2+0, rd:2; load.ugm.d32.a32.bti[2]
(W)     sync.nop                             null                             {$0.dst}
        mul (32|M0)              r20.0<1>:d    r17.0<8;8,1>:d    r19.0<0;1,0>:uw  {$1.dst}
        mul (32|M0)              r27.0<1>:d    r17.0<8;8,1>:d    r19.1<0;1,0>:uw
        add (32|M0)              r20.1<2>:uw   r20.1<16;8,2>:uw  r27.0<16;8,2>:uw {I@1}
(W)     sync.nop                             null                             {I@1}
        add (32|M0)              r24.0<1>:d    r20.0<1;1,0>:d    r22.0<1;1,0>:d   {Compacted,$2.dst}
(W)     sync.nop                             null                             {$2.src}
        send.ugm (32|M0)         null     r15  r24:2  0x2000000            0x64000504           {I@1,$3} // wr:2+2, rd:0; store.ugm.d32.a32.bti[2]
(W)     mov (16|M0)              r126.0<1>:ud  r0.0<1;1,0>:ud                   {Compacted}
(W)     send.gtwy (32|M0)        null     r126  null:0  0x0            0x02000000           {EOT,I@1} // wr:1+0, rd:0; end of thread
L424:
