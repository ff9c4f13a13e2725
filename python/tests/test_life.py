"""Ends of objects: close, garbage, fork, exit."""

import array
import gc
import mmap
import os
import pickle
import subprocess
import sys
import threading
import time
import weakref

import numpy
import pytest

import softgt
from conftest import Machine, Squares

USES = [
    lambda d: d.run(), lambda d: d.advance(1), lambda d: d.bar0[0], lambda d: d.mmio.write32(0x2030, 0), lambda d: d.config[0], lambda d: d.save(),
    lambda d: d.load(b"x"), lambda d: d.engines[0].status, lambda d: d.engines[0].reset(), lambda d: d.now_ns, lambda d: d.ggtt.read(0, 4),
    lambda d: d.reset(), lambda d: list(d.events()), lambda d: d.__enter__(), lambda d: d.functions, lambda d: d.vga[0x3C4],
    lambda d: d.watch_threads(None), lambda d: d.engines[0].commands(), lambda d: d.runnable]


@pytest.mark.parametrize("use", USES)
def test_use_after_close(use):
    m = Machine()
    m.device.bar0
    m.device.close()
    m.device.close()
    assert m.device.closed and "closed" in repr(m.device) and m.device.info.name == "skl"
    with pytest.raises(softgt.ClosedError) as e:
        use(m.device)
    assert isinstance(e.value, ValueError) and isinstance(e.value, softgt.Error)


def test_failed_creation_is_harmless():
    for arguments in ({"memory": 42}, {"memory": softgt.Memory(4096), "functions": -1}, {"memory": softgt.Memory(4096), "trace_mask": 1 << 40}):
        with pytest.raises((TypeError, OverflowError, softgt.Error)):
            softgt.Device("skl", **arguments)
    device = softgt.Device.__new__(softgt.Device)
    del device
    gc.collect()


def test_cycles_are_collected():
    m = Machine(trace=lambda event: m)  # a device whose callback refers to it
    gone = weakref.ref(m.device)
    del m
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("source", [bytearray(4096), memoryview(bytearray(4096)), numpy.zeros(1024, numpy.uint32), mmap.mmap(-1, 4096), array.array("I", [0] * 1024)],
                         ids=lambda source: type(source).__name__)
def test_garbage_with_buffers_of_all_kinds(source):
    for _ in range(3):
        memory = softgt.Memory(source)
        runner = softgt.eu.Runner("skl")
        runner.surface(0, source)
        cycle = [memory, runner, softgt.Device("skl", memory=memory, trace=lambda event: cycle), memory.array(), source]
        cycle.append(cycle)
        del memory, runner, cycle
        gc.collect()


def test_many_devices():
    memory = softgt.Memory(1 << 16)
    devices = [softgt.Device(info.name, memory=memory) for info in softgt.devices()]
    for device in devices:
        device.run(100)
        device.close()


def test_no_pickle():
    with pytest.raises(TypeError, match="save"):
        pickle.dumps(Machine().device)


def in_child(function):
    child = os.fork()
    if not child:
        status = 1
        try:
            status = 0 if function() else 2
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_fork_copies():
    m = Machine()

    def child():
        m.store(7)
        m.device.run()
        return m.stored == 7

    assert in_child(child) == 0
    assert m.stored == 0 and m.device.dwords == 0
    m.store(8)
    m.device.run()
    assert m.stored == 8


def test_fork_loses_devices_with_threads():
    m = Machine(threads=2, translate=True)

    def child():
        try:
            m.device.run()
        except softgt.ClosedError as e:
            m.device.close()
            return "threads" in str(e)
        return False

    assert in_child(child) == 0
    m.store(1)
    m.device.run()
    assert m.stored == 1


def test_fork_while_another_thread_runs():
    m = Machine()
    m.memory.array(0x3000, 4)[:] = [0x18800001, 0x3000, 0, 0]
    m.submit([0x18800001, 0x3000, 0, 0])
    started = threading.Event()
    slow = Machine(trace=lambda event: (started.set(), time.sleep(0.2)))
    slow.store(1)
    thread = threading.Thread(target=slow.device.run)
    thread.start()
    started.wait()

    def child():
        try:
            slow.device.run()
        except softgt.ClosedError as e:
            return "another thread" in str(e) and not m.device.run(1000) is None
        return False

    assert in_child(child) == 0
    thread.join()
    assert slow.stored == 1


def test_exit_with_devices_alive():
    program = "import softgt; d = softgt.Device('skl', memory=softgt.Memory(4096), trace=print); r = softgt.eu.Runner('skl'); a = d.bar0"
    done = subprocess.run([sys.executable, "-X", "dev", "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_ctrl_c_ends_a_loop():
    program = """
import os, signal, softgt, sys, threading
sys.path.insert(0, sys.argv[1])
from conftest import Machine
m = Machine()
m.memory.array(0x3000, 4)[:] = [0x18800001, 0x3000, 0, 0]
m.submit([0x18800001, 0x3000, 0, 0])
signal.signal(signal.SIGINT, signal.default_int_handler)  # who starts the tests may ignore it, as a shell's "&" does
threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    m.device.run()
except KeyboardInterrupt:
    print("interrupted", m.device.dwords > 100)
"""
    done = subprocess.run([sys.executable, "-c", program, os.path.dirname(__file__)], capture_output=True, text=True, timeout=60)
    assert done.stdout == "interrupted True\n", done.stderr


def test_array_outlives_runner():
    s = Squares()
    output = s.output
    s.runner.run()
    s.runner.close()
    del s
    gc.collect()
    assert output[4] == 1.5


def test_runner_keeps_arrays():
    s = Squares()
    s.input = None
    view = s.output
    s.output = None
    gc.collect()
    assert s.runner.run(check=True).result == softgt.eu.Result.FINISHED
    assert view[8] == 4.5
