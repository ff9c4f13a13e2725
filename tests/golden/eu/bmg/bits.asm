L0:
(W)     mov (16|M0)              r127.0<1>:ud  0x0:ud
(W)     and (1|M0)               r127.2<1>:ud  r0.0<0;1,0>:ud    0xFFFFFFC0:ud
(W)     and (1|M0)               r127.0<1>:uw  r0.4<0;1,0>:uw    0xFF:uw
(W)     add (1|M0)               r127.2<1>:ud  r127.2<0;1,0>:ud  0x0:ud              {I@2}
(W)     add (1|M0)               r127.2<1>:ud  r127.2<0;1,0>:ud  0x0:ud              {I@1}
(W)     mad (1|M0)               r127.0<1>:ud  r127.2<0;0>:ud    r127.0<0;0>:uw    0x40:uw              {I@1}
(W)     mov (8|M0)               r2.0<1>:ud    r1.0<1;1,0>:ud
(W)     send.ugm (1|M0)          r1       r127  null:0  0xFF000000            0x6219D500           {A@1,$0} // wr:1+0, rd:1; load.ugm.d32x16t.a32.ca.cc.bti[255]
(W)     and (1|M0)               r127.0<1>:ud  r0.0<0;1,0>:ud    0xFFFFFFC0:ud              {$0.src}
(W)     add (1|M0)               r127.0<1>:ud  r127.0<0;1,0>:ud  0x0:ud              {I@1}
(W)     mov (16|M0)              r4.0<1>:ud    r0.0<1;1,0>:ud
(W)     or (1|M0)                cr0.0<1>:ud   cr0.0<0;1,0>:ud   0x400004C0:ud              {A@1}
(W)     mul (1|M0)               acc0.0<1>:d   r2.3<0;1,0>:d     r4.2<0;1,0>:uw   {A@1}
(W)     macl (1|M0)              r3.0<1>:d     r2.3<0;1,0>:d     r4.1<0;1,0>:d    {Compacted}
(W)     mov (1|M0)               r2.8<1>:d     -1:w
        add3 (32|M0)             r5.0<1>:d     r3.0<0;0>:d       r1.0<1;0>:uw      r2.0<0>:d        {@2,$0.dst}
        mov (16|M0)              r60.0<2>:ud   r5.0<1;1,0>:ud                   {Compacted,I@1}
        mov (16|M16)             r62.0<2>:ud   r6.0<1;1,0>:ud                   {Compacted}
        shl (16|M0)              r69.0<1>:q    r60.0<2;1,0>:d    2:w               {I@2}
        shl (16|M16)             r71.0<1>:q    r62.0<2;1,0>:d    2:w               {I@2}
        add (16|M0)              r7.0<1>:q     r69.0<1;1,0>:q    r2.3<0;1,0>:q    {Compacted,I@2}
        add (16|M16)             r9.0<1>:q     r71.0<1;1,0>:q    r2.3<0;1,0>:q    {I@2}
        send.ugm (32|M0)         r12      r7  null:0  0x0            0x08200580           {I@1,$1} // wr:4+0, rd:2; load.ugm.d32.a64
(W)     mov (1|M0)               r3.1<1>:d     0xFF00:uw
(W)     mov (1|M0)               r2.10<1>:f    0xF0F0F0F:f
(W)     mov (1|M0)               r2.9<1>:d     0xFFFF:uw
(W)     mov (16|M0)              r127.0<1>:f   r4.0<1;1,0>:f                    {Compacted}
        bfrev (32|M0)            r19.0<1>:d    r12.0<1;1,0>:d                   {Compacted,$1.dst}
        lzd (32|M0)              r14.0<1>:ud   r12.0<1;1,0>:ud                  {Compacted}
        lzd (32|M0)              r22.0<1>:ud   r19.0<1;1,0>:ud                  {Compacted,I@2}
        cbit (32|M0)             r17.0<1>:ud   r12.0<1;1,0>:ud                  {Compacted}
        mul (32|M0)              r29.0<1>:d    r12.0<1;1,0>:d    3:w               {Compacted}
(W)     mul (16|M0)              acc0.0<1>:ud  r12.0<1;1,0>:ud   r12.0<2;1,0>:uw
        add3 (32|M0)             r24.0<1>:d    r14.0<1;0>:d      r17.0<1;0>:d      r22.0<1>:d       {Compacted,I@3}
        mach (16|M0)             r39.0<1>:d    r12.0<1;1,0>:ud   r12.0<1;1,0>:ud
(W)     mul (16|M0)              acc0.0<1>:ud  r13.0<1;1,0>:ud   r13.0<2;1,0>:uw
        bfn.(s0^s1|s2) (32|M0)   r27.0<1>:ud   r12.0<1;0>:ud     r2.8<0;0>:ud      r3.1<0>:ud
        mov (16|M0)              r64.0<2>:ud   r12.0<1;1,0>:ud                  {Compacted}
        mov (16|M16)             r66.0<2>:ud   r13.0<1;1,0>:ud                  {Compacted}
        bfn.(s0&s1|~s0&s2) (32|M0)   r32.0<1>:ud  r2.10<0;0>:d   r29.0<1;0>:ud     r12.0<1>:ud      {A@2}
        mach (16|M16)            r40.0<1>:d    r13.0<1;1,0>:ud   r13.0<1;1,0>:ud
        rol (32|M0)              r37.0<1>:ud   r12.0<1;1,0>:ud   0x5:uw              {Compacted}
        add (16|M0)              r74.0<1>:q    r64.0<2;1,0>:ud   7:w               {I@5}
        add (16|M0)              r82.0<1>:q    r64.0<2;1,0>:ud   10:w
        add (16|M16)             r76.0<1>:q    r66.0<2;1,0>:ud   7:w               {I@6}
        add (16|M16)             r84.0<1>:q    r66.0<2;1,0>:ud   10:w
        add3 (32|M0)             r34.0<1>:d    r24.0<1;0>:d      r27.0<1;0>:d      r32.0<1>:d       {Compacted,I@7}
        add (32|M0)              r42.0<1>:d    r12.0<1;1,0>:d    r39.0<1;1,0>:d   {Compacted,I@7}
        shr (16|M0)              r78.0<1>:uq   r74.0<1;1,0>:uq   1:w               {I@6}
        shr (16|M0)              r86.0<1>:uq   r82.0<1;1,0>:uq   1:w               {I@6}
        shr (16|M16)             r80.0<1>:uq   r76.0<1;1,0>:uq   1:w               {I@6}
        shr (16|M16)             r88.0<1>:uq   r84.0<1;1,0>:uq   1:w               {I@6}
        add3 (32|M0)             r44.0<1>:d    r34.0<1;0>:d      r37.0<1;0>:d      r42.0<1>:d       {Compacted,I@5}
        shl (32|M0)              r54.0<1>:d    r12.0<1;1,0>:d    16:w               {Compacted}
        mov (16|M0)              r47.0<1>:d    r78.0<2;1,0>:d                   {Compacted,I@6}
        mov (16|M0)              r50.0<1>:d    r86.0<2;1,0>:d                   {Compacted,I@6}
        mov (16|M16)             r48.0<1>:d    r80.0<2;1,0>:d                   {Compacted,I@6}
        mov (16|M16)             r51.0<1>:d    r88.0<2;1,0>:d                   {Compacted,I@6}
        add3 (32|M0)             r52.0<1>:d    r44.0<1;0>:d      r47.0<1;0>:d      r50.0<1>:d       {I@1}
        bfn.(s0|s1&s2) (32|M0)   r56.0<1>:ud   r54.0<1;0>:ud     r5.0<1;0>:ud      r2.9<0>:ud
        add3 (32|M0)             r58.0<1>:d    r52.0<1;0>:d      r29.0<1;0>:d      r56.0<1>:d       {I@1}
        send.ugm (32|M0)         null     r7  r58:2  0x0            0x08000584           {I@1,$2} // wr:4+2, rd:0; store.ugm.d32.a64
(W)     send.gtwy (1|M0)         null     r127  null:0  0x0            0x02000010           {EOT,F@1,$3} // wr:1+0, rd:0; end of thread
L832:
(W)     mov (16|M0)              null<1>:ud    0x3B5ECBA1:ud
(W)     mov (16|M0)              null<1>:ud    0x13D400BC:ud
(W)     mov (16|M0)              null<1>:ud    0x0:ud
(W)     mov (16|M0)              null<1>:ud    0x5:ud
        illegal
        illegal
        illegal
        illegal
        illegal
        illegal
        illegal
        illegal
