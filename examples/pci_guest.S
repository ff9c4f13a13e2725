/*
 * The guest of pci.c: 32-bit x86 code that drives the card, without an operating system. It is loaded at GUEST_AT. The
 * ring is at 100000h, what the commands store at 101000h; both have that address in the GGTT, too. The value that it
 * writes to port F4h is 0, or says where it failed.
 */
#define GUEST_AT 0x10000
#define AT(label) (GUEST_AT + label - guest_begin)
#define STACK    0x8000
#define IDT      0x9000
#define SEEN     0xa000 /* interrupts that the handler has seen */
#define VECTOR   0x41
#define RING     0x100000
#define RESULT   0x101000
#define BAR0     0x80000000
#define BAR2     0xa0000000
#define GGTT     (BAR0 + 0x800000)

    .section .rodata
    .code32

/* Configuration space through ports CF8h and CFCh: the card's address for CF8h is in %edi, values are in %eax. */
.macro select_config offset
    lea \offset(%edi), %eax
    mov $0xcf8, %dx
    out %eax, %dx
    mov $0xcfc, %dx
.endm
.macro read_config offset
    select_config \offset
    in %dx, %eax
.endm
.macro write_config offset, value
    select_config \offset
    mov \value, %eax
    out %eax, %dx
.endm
/* Places a BAR; %eax: its size. */
.macro place_bar offset, address
    write_config \offset, $-1
    read_config \offset
    and $-16, %eax
    neg %eax
    mov %eax, %ebx
    write_config \offset, \address
    write_config \offset + 4, $0
    mov %ebx, %eax
.endm

    .globl guest_begin, guest_end
guest_begin:
    mov $STACK, %esp
    lgdt AT(.Lgdtr)
    lidt AT(.Lidtr)
    ljmp $8, $AT(.Lflat)
.Lflat:
    mov $16, %eax
    mov %eax, %ds
    mov %eax, %es
    mov %eax, %ss
    mov $AT(.Lon_interrupt), %eax /* an interrupt gate: the handler, in segment 8 */
    mov %ax, IDT + VECTOR * 8
    movw $8, IDT + VECTOR * 8 + 2
    mov $0x8e00, %ax
    mov %eax, IDT + VECTOR * 8 + 4

    /* The first display controller of Intel's on bus 0. */
    mov $0x80000000, %edi
.Lnext_slot:
    read_config 0
    cmp $0x8086, %ax
    jne .Lnot_it
    read_config 8
    shr $24, %eax
    cmp $3, %eax
    je .Lfound
.Lnot_it:
    add $0x800, %edi
    cmp $0x80010000, %edi
    jb .Lnext_slot
    mov $1, %eax
    jmp .Lexit

.Lfound:
    place_bar 0x10, $BAR0
    cmp $0x1000000, %eax /* registers and the GGTT, 8 MB each */
    mov $2, %eax
    jne .Lexit
    place_bar 0x18, $BAR2
    test %eax, %eax
    mov $3, %eax
    jz .Lexit

    /* The MSI capability: its address into %edi, the card's into %ebx meanwhile. */
    mov %edi, %ebx
    read_config 0x34
.Lnext_capability:
    movzbl %al, %eax
    test %eax, %eax
    mov $4, %ecx
    cmovz %ecx, %eax
    jz .Lexit
    lea (%ebx, %eax), %edi
    read_config 0
    cmp $5, %al
    je .Lhas_msi
    shr $8, %eax
    jmp .Lnext_capability
.Lhas_msi:
    mov %eax, %esi
    or $0x10000, %esi /* enabled */
    write_config 4, $0xfee00000
    write_config 8, $VECTOR
    write_config 0, %esi
    mov %ebx, %edi
    write_config 4, $6 /* memory space, bus master */

    /* GGTT entries: present. The commands: MI_STORE_DATA_IMM, MI_USER_INTERRUPT, MI_NOOP. */
    movl $RING + 1, GGTT + RING / 4096 * 8
    movl $RESULT + 1, GGTT + RESULT / 4096 * 8
    movl $0x10400002, RING
    movl $RESULT, RING + 4
    movl $0, RING + 8
    movl $0xc0ffee, RING + 12
    movl $0x01000000, RING + 16
    movl $0, RING + 20
    /* The user interrupt of the render engine: master, GT interrupts' mask and enable, the engine's mask. */
    movl $0x80000000, BAR0 + 0x44200
    movl $-2, BAR0 + 0x44304
    movl $1, BAR0 + 0x4430c
    movl $-2, BAR0 + 0x20a8
    /* Its ring: start, control (4 KB, enabled), tail. */
    movl $RING, BAR0 + 0x2038
    movl $1, BAR0 + 0x203c
    movl $24, BAR0 + 0x2030
.Lsleep:
    cli
    cmpl $0, SEEN
    jne .Lawake
    sti
    hlt
    jmp .Lsleep
.Lawake:
    xor %eax, %eax
    cmpl $0xc0ffee, RESULT
    je .Lexit
    mov $5, %eax
.Lexit:
    mov $0xf4, %dx
    out %eax, %dx
    hlt
    jmp .Lexit

.Lon_interrupt:
    push %eax
    movl $0, BAR0 + 0x44200
    mov BAR0 + 0x44308, %eax /* IIR: written bits are acknowledged */
    mov %eax, BAR0 + 0x44308
    or %eax, SEEN
    movl $0x80000000, BAR0 + 0x44200
    pop %eax
    iret

    .align 8
.Lgdt:
    .quad 0, 0xcf9b000000ffff, 0xcf93000000ffff /* none, code, data: flat */
.Lgdtr:
    .word 23
    .long AT(.Lgdt)
.Lidtr:
    .word 0x7ff
    .long IDT
guest_end:
    .section .note.GNU-stack, "", @progbits
