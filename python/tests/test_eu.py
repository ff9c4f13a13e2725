"""Kernels."""

import errno
import gc
import threading
import time

import numpy
import pytest

import softgt
from conftest import COUNT, MAD, SQUARES, Machine, Squares
from softgt.eu import File, Hooks, KernelError, Payload, Result, Runner


def expected(s):
    return numpy.float32(0.5) + s.input * s.input


def test_squares(squares):
    outcome = squares.runner.run()
    assert (outcome.result, outcome.threads, outcome.groups) == (Result.FINISHED, 12, 3)
    assert (squares.output == expected(squares)).all()


@pytest.mark.parametrize("options", [{"threads": 3}, {"translate": True}, {"threads": 2, "translate": True}], ids=str)
def test_threads_and_code_of_the_host(options):
    s = Squares(**options)
    for _ in range(20):  # enough to be translated
        s.launch()
        assert s.runner.run(check=True).threads == 12
    assert (s.output == expected(s)).all()
    cycle = [s, s.runner]
    cycle.append(cycle)
    del s, cycle
    gc.collect()


def test_budget(squares):
    count = 1
    while squares.runner.run(5).result == Result.UNFINISHED:
        count += 1
    assert count > 5 and (squares.output == expected(squares)).all()


def test_breakpoints_steps_and_registers(squares):
    runner = squares.runner
    runner.breakpoints.add(MAD)
    assert MAD in runner.breakpoints and list(runner.breakpoints) == [MAD] and "0x50" in repr(runner.breakpoints)
    outcome = runner.run()
    assert (outcome.result, outcome.ip) == (Result.HELD, MAD)
    thread = runner.thread(outcome.thread)
    assert thread.text.split()[0] == "mad" and thread.info.ip == MAD
    grf = thread.registers(dtype=numpy.float32)
    assert grf.shape == (128, 8) and (grf[12:14].reshape(-1) == squares.input[:16]).all() and grf[4, 0] == 0.5
    assert runner.step().result == Result.HELD
    with pytest.raises(softgt.ClosedError, match="ran on"):
        thread.info
    assert (runner.thread(0).registers(dtype=numpy.float32)[12:14].reshape(-1) == expected(squares)[:16]).all()
    runner.breakpoints.clear()
    assert runner.run().result == Result.FINISHED
    assert len(runner.breakpoints) == 0


def test_a_thread_waits_for_its_runner(squares):
    users, found = [], []

    def use(thread):
        try:
            found.append(thread.info)
        except softgt.ClosedError as e:
            found.append(e)

    def before(thread):
        if not users:
            users.append(threading.Thread(target=use, args=(thread,)))
            users[0].start()
            time.sleep(0.05)
            assert not found  # the runner runs
            assert thread.info.thread == 0

    squares.runner.watch(Hooks(before=before))
    squares.runner.run()
    users[0].join()
    assert isinstance(found[0], softgt.ClosedError)


def test_write_registers(squares):
    squares.runner.breakpoints.add(MAD)
    squares.runner.run()
    thread = squares.runner.thread(0)
    thread.write(File.GRF, 4 * 32, numpy.array([100], numpy.float32))
    with pytest.raises(IndexError):
        thread.write(File.GRF, 1 << 20, b"abcd")
    with pytest.raises(IndexError):
        thread.write(File.GRF, -4, b"abcd")
    with pytest.raises(IndexError):
        thread.read(File.GRF, 4095, 2)
    squares.runner.breakpoints.clear()
    squares.runner.run()
    assert squares.output[1] == 100 + squares.input[1] ** 2


def test_hooks_and_changes(squares):
    seen = []

    def after(thread):
        if thread.info.ip == MAD:
            seen.append([(c.file, c.number, numpy.frombuffer(c.after, numpy.float32)[1]) for c in thread.changes()])

    squares.runner.watch(Hooks(wanted=lambda thread: thread.info.group[0] == 0 and thread.info.thread == 0, after=after))
    squares.runner.run()
    assert seen == [[(File.GRF, 12, expected(squares)[1]), (File.GRF, 13, expected(squares)[9])]]


def test_before_holds(squares):
    squares.runner.watch(Hooks(before=lambda thread: thread.info.ip != MAD))
    outcome = squares.runner.run()
    assert (outcome.result, outcome.ip) == (Result.HELD, MAD)
    squares.runner.watch(Hooks(before=lambda thread: None))
    assert squares.runner.run().result == Result.FINISHED


def test_hook_exceptions_and_misuse(squares):
    kept = []

    def started(thread):
        kept.append(thread)
        squares.runner.run()

    squares.runner.watch(Hooks(started=started))
    with pytest.raises(softgt.BusyError):
        squares.runner.run()
    with pytest.raises(softgt.ClosedError):
        kept[0].text
    squares.runner.watch(None)
    squares.launch()
    assert squares.runner.run().result == Result.FINISHED
    with pytest.raises(TypeError):
        Hooks(after=42)


def test_fault(squares):
    squares.runner.unmap(squares.output_address)
    squares.launch()
    with pytest.raises(KernelError, match="write of 0x") as e:
        squares.runner.run(check=True)
    assert e.value.outcome.result == Result.FAULT and e.value.outcome.is_write and e.value.errno == errno.EFAULT
    assert squares.runner.run().result == Result.FAULT  # the launch has ended


def test_exception():
    with Runner("skl") as runner:
        runner.kernel(b"\0" * 16)
        runner.launch()
        outcome = runner.run()
        assert outcome.result == Result.EXCEPTION and outcome.why


def test_mappings():
    with Runner("skl") as runner:
        array = numpy.zeros(1024, numpy.uint32)
        first = runner.map(array)
        assert runner.map(numpy.zeros(10)) > first and first % 4096 == 0
        with pytest.raises(softgt.Error):
            runner.map(array, first)
        with pytest.raises(softgt.Error):
            runner.map(array, 100)
        with pytest.raises(softgt.Error):
            runner.map(array, runner.address_end)
        with pytest.raises(softgt.Error):
            runner.unmap(0x123000)
        with pytest.raises(ValueError):
            runner.map(array[::2])
        with pytest.raises(ValueError):
            runner.map(numpy.zeros(0))
        array.flags.writeable = False
        with pytest.raises(ValueError):
            runner.map(array, writable=True)
        with pytest.raises(TypeError):
            runner.map(42)
        with pytest.raises((ValueError, TypeError)):
            runner.map(numpy.array([object()]))


def test_read_only_arrays_are_not_written():
    s = Squares()
    frozen = numpy.zeros(COUNT, numpy.float32)
    frozen.flags.writeable = False
    s.runner.surface(1, frozen)
    s.launch()
    s.runner.run()
    assert not frozen.any()


def test_arguments():
    with pytest.raises(softgt.Error, match="voodoo"):
        Runner("voodoo")
    with Runner("skl") as runner:
        with pytest.raises(softgt.Error):
            runner.launch()  # no kernel
        runner.kernel(SQUARES.tobytes())
        for wrong in ({"channels": 7}, {"threads": 1 << 20}, {"data": b"123"}, {"payload": 9}, {"groups": (1, 2, 3, 4)}, {"threads": -1},
                      {"own_bytes": 32}, {"shared_bytes": 1 << 30}):
            with pytest.raises((softgt.Error, OverflowError, ValueError, IndexError)):
                runner.launch(**wrong)
        with pytest.raises(ValueError):
            runner.surface_state(0, [0] * 15)
        with pytest.raises(softgt.Error):
            runner.surface(1000, 0)
        with pytest.raises(ValueError):
            runner.surface(0, numpy.zeros(4), 100)
        runner.surface(0, 0)
        runner.surface_state(1, [0] * 16)
        runner.sampler_state(0, [0] * 4)
        with pytest.raises(IndexError):
            runner.thread(9999)
        with pytest.raises(softgt.Error):
            runner.select(77)
        assert softgt.eu.file_name(File.GRF) == "r" and Payload(1) == Payload.OWN_FIRST


def test_closed():
    s = Squares()
    s.runner.close()
    for use in (lambda r: r.run(), lambda r: r.launch(), lambda r: r.map(s.input), lambda r: r.breakpoints.add(0), lambda r: r.thread(0),
                lambda r: r.kernel(SQUARES), lambda r: r.__enter__(), lambda r: r.watch(None), lambda r: r.step()):
        with pytest.raises(softgt.ClosedError):
            use(s.runner)
    assert "closed" in repr(s.runner)


def test_thread_of_a_closed_runner():
    s = Squares()
    s.runner.breakpoints.add(MAD)
    s.runner.run()
    thread = s.runner.thread(0)
    s.runner.close()
    with pytest.raises(softgt.ClosedError):
        thread.registers()


def test_memory_port():
    memory = softgt.Memory(1 << 16, address=1 << 20)
    memory.array(1 << 20, COUNT, numpy.float32)[:] = 3
    s = Squares(memory=memory)
    s.runner.surface(0, 1 << 20, COUNT * 4)
    s.launch()
    s.runner.run(check=True)
    assert (s.output == 9.5).all()


def test_device_threads_are_watched():
    m = Machine()
    m.device.watch_threads(Hooks(started=lambda thread: None))
    m.store(1)
    m.device.run()
    m.device.watch_threads(None)
    assert m.stored == 1


def test_what_is_no_surface_is_not_mapped():
    runner = softgt.eu.Runner("skl")
    for index, size in ((240, None), (0, -1)):
        with pytest.raises((softgt.Error, OverflowError)):
            runner.surface(index, numpy.zeros(4, numpy.uint32), size)
    assert not runner._mapped
