"""A program of the text form: a walker of two groups with a kernel of four instructions, as a compiler made them: mov, shl, mov, the end."""
import struct

WORDS = (0x20144d01, 0x00001c00, 0x00600009, 0x20c00a2c, 0x06000380, 0x00000004, 0x20004d01, 0x00007e07, 0x07800031, 0x20000244, 0x06000fc0, 0x82000010)
KERNEL = struct.pack(f"<{len(WORDS)}I", *WORDS)


def program(path):
    """Writes it; returns the path."""
    path.write_text(f"""
device skl
ppgtt vm
data state at vm:0x100000 {{ fill 0 size 4096 }}
data descriptor at vm:0x101000 {{ 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0 }}
data kernel at vm:0x102000 {{ {", ".join(map(hex, WORDS))} }}
context a rcs0 ppgtt vm {{
    PIPELINE_SELECT mask_bits = 3, pipeline_selection = gpgpu
    STATE_BASE_ADDRESS surface_state_base_address_modify_enable, surface_state_base_address = 0x100000,
        dynamic_state_base_address_modify_enable, dynamic_state_base_address = 0x101000,
        instruction_base_address_modify_enable, instruction_base_address = 0x102000
    MEDIA_VFE_STATE
    MEDIA_INTERFACE_DESCRIPTOR_LOAD interface_descriptor_total_length = 64
    GPGPU_WALKER thread_width_counter_maximum = 0, thread_group_id_x_dimension = 2, thread_group_id_y_dimension = 1,
        thread_group_id_z_dimension = 1, right_execution_mask = 0xff, bottom_execution_mask = 0xff
}}
submit a
run
""")
    return path
