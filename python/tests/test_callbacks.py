"""Reports, interrupts, events, and their exceptions."""

import threading

import pytest

import softgt
from conftest import RING, Machine

STORE = 0x10400002
USER_INTERRUPT = 0x01000000


def test_report():
    reports = []
    m = Machine(report=reports.append)
    m.submit([0x7FFF0000, 0])
    m.device.run()
    assert [(r.complaint, r.mistake, r.unit, r.address) for r in reports if r.unit == "rcs0"][:1] == [
        (softgt.Complaint.GUEST_ERROR, softgt.Mistake.UNKNOWN, "rcs0", RING)]
    assert "7fff0000" in reports[0].text.lower()


def test_trace():
    seen = []
    m = Machine(trace=seen.append)
    m.store(42)
    m.device.run()
    event = seen[0]
    assert (event.what, event.name, event.unit, event.address, event.dwords) == (
        softgt.Trace.COMMANDS, "MI_STORE_DATA_IMM", "rcs0", RING, (STORE, 0x2000, 0, 42))
    assert event.kind == softgt.EventKind.COMMAND and event.is_ggtt and repr(event).startswith("Event(what=<Trace.COMMANDS: 1>")


def test_events_are_an_iterator():
    m = Machine(trace_mask=softgt.Trace.COMMANDS | softgt.Trace.MEMORY)
    m.store(1)
    m.store(2)
    assert [(e.what, e.value) for e in m.device.events()] == [
        (softgt.Trace.COMMANDS, 0), (softgt.Trace.MEMORY, 1), (softgt.Trace.COMMANDS, 0), (softgt.Trace.MEMORY, 2)]
    assert list(m.device.events()) == []
    with pytest.raises(softgt.Error):
        next(Machine(trace=print).device.events())


def test_trace_mask_changes():
    m = Machine()
    m.store(1)
    assert list(m.device.events()) == [] and m.device.trace_mask == 0
    m.device.trace_mask = softgt.Trace.MEMORY
    m.store(2)
    assert [e.value for e in m.device.events()] == [2]
    m.device.trace_mask = 0
    m.store(3)
    assert list(m.device.events()) == []
    with pytest.raises(OverflowError):
        m.device.trace_mask = -1
    m.device.close()
    with pytest.raises(softgt.ClosedError):
        m.device.trace_mask = 1


def test_trace_mask_from_a_callback():
    seen = []

    def trace(event):
        seen.append(event)
        m.device.trace_mask = 0

    m = Machine(trace=trace)
    m.store(1)
    m.store(2)
    m.device.run()
    assert len(seen) == 1 and m.stored == 2


def interrupting(**options):
    m = Machine(**options)
    mmio = m.device.mmio
    m.device.config.write16(4, 7)  # memory space, bus master
    mmio[0x20A8] = 0  # RING_IMR
    mmio[0x44304] = 0  # GT_IMR(0)
    mmio[0x4430C] = 1  # GT_IER(0): render's user interrupt
    mmio[0x44200] = 1 << 31  # master interrupt control
    return m


def test_interrupt():
    vectors = []
    m = interrupting(interrupt=vectors.append)
    m.submit([USER_INTERRUPT, 0])
    m.device.run()
    assert vectors and set(vectors) == {0} and m.device.interrupt_count == len(vectors)


def test_intx():
    levels = []
    m = interrupting(intx=levels.append)
    m.submit([USER_INTERRUPT, 0])
    m.device.run()
    assert True in levels


def boom(*arguments):
    raise ZeroDivisionError("boom")


@pytest.mark.parametrize("options", [{"trace": boom}, {"interrupt": boom}, {"report": boom}])
def test_exceptions_are_raised_by_the_call(options):
    m = interrupting(**options)
    m.submit([USER_INTERRUPT, 0])
    m.submit([0x7FFF0000, 0])
    with pytest.raises(ZeroDivisionError, match="boom"):
        m.device.run()
    m.device.run()  # the device is as it would be without the exception
    assert m.device.engines[0].state == softgt.EngineState.STOPPED


def test_exception_once_for_a_slice():
    seen = []

    def trace(event):
        seen.append(event)
        raise KeyError(len(seen))

    m = Machine(trace=trace)
    for _ in range(5):
        m.store(1)
    with pytest.raises(KeyError):
        m.device.run()
    assert len(seen) == 1


def test_keyboard_interrupt_of_a_callback():
    def trace(event):
        raise KeyboardInterrupt

    m = Machine(trace=trace)
    m.store(1)
    with pytest.raises(KeyboardInterrupt):
        m.device.run()


def test_callbacks_may_read():
    found = []
    m = Machine(trace=lambda event: found.append((m.device.now_ns, m.device.engines["rcs0"].status.commands, m.device.ggtt.read(RING, 4))))
    m.store(1)
    m.device.run()
    assert found[0][0] == 0 and found[0][2] == STORE.to_bytes(4, "little")


@pytest.mark.parametrize("use", [
    lambda m: m.device.run(), lambda m: m.device.close(), lambda m: m.device.bar0.write32(0x2030, 0), lambda m: m.device.advance(1),
    lambda m: m.device.reset(), lambda m: m.device.save(), lambda m: m.device.ggtt.write(0x2000, b"x")])
def test_callbacks_must_not_change(use):
    m = Machine(trace=lambda event: use(m))
    m.store(1)
    with pytest.raises(softgt.BusyError):
        m.device.run()
    assert not m.device.closed and m.stored == 1


def test_interrupt_callbacks_must_not_read():
    m = interrupting(interrupt=lambda vector: m.device.now_ns)
    m.submit([USER_INTERRUPT, 0])
    with pytest.raises(softgt.BusyError):
        m.device.run()


def test_no_callable():
    for name in ("trace", "report", "interrupt", "intx"):
        with pytest.raises(TypeError, match=name):
            Machine(**{name: 42})


def looping():
    """A batch that starts itself."""
    m = Machine()
    m.memory.array(0x3000, 4)[:] = [0x18800001, 0x3000, 0, 0]  # MI_BATCH_BUFFER_START, GGTT
    m.submit([0x18800001, 0x3000, 0, 0])
    return m


def test_other_threads_run_meanwhile():
    m = looping()
    counted = []
    stop = threading.Event()

    def count():
        while not stop.is_set():
            counted.append(1)

    thread = threading.Thread(target=count)
    thread.start()
    before = len(counted)
    m.device.run(1 << 22)
    after = len(counted)
    stop.set()
    thread.join()
    assert after > before + 10


def test_threads_wait_for_each_other():
    m = looping()
    errors = []

    def use():
        try:
            for _ in range(50):
                m.device.run(1000)
                m.device.engines[0].status
                m.device.advance(10)
        except BaseException as e:
            errors.append(e)

    threads = [threading.Thread(target=use) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not errors and m.device.now_ns == 2000


class Port:
    """Memory that runs a function when the device reads it."""

    def __init__(self, function):
        self.function = function

    def read(self, address, size):
        return self.function(address, size)

    def write(self, address, data):
        return True


def reads_of(use):
    return [lambda: use.ggtt.read(0, 8), lambda: use.ggtt.surface(0, 2, 2), lambda: use.ggtt.surface(0, 2, 2, partial=True)]


@pytest.mark.parametrize("which", range(3))
def test_exceptions_of_memory_are_raised_by_reads(which):
    device = softgt.Device("snb", memory=Port(boom))
    device.ggtt.map(0, 0, 4096)
    with pytest.raises(ZeroDivisionError, match="boom"):
        reads_of(device)[which]()
    device.advance(1)  # nothing is left of it
    assert device.now_ns == 1


@pytest.mark.parametrize("use", [lambda d: d.close(), lambda d: d.run(), lambda d: d.reset(), lambda d: d.ggtt.map(0, 0, 4096), lambda d: d.now_ns])
def test_memory_must_not_use_the_device_that_reads(use):
    device = softgt.Device("snb", memory=Port(lambda address, size: use(device) or bytes(size)))
    device.ggtt.map(0, 0, 4096)
    with pytest.raises(softgt.BusyError):
        device.ggtt.read(0, 8)
    assert not device.closed


class Bytes:
    """Memory in Python."""

    def __init__(self):
        self.bytes = bytearray(1 << 20)

    def read(self, address, size):
        return self.bytes[address:address + size]

    def write(self, address, data):
        self.bytes[address:address + len(data)] = data
        return True


def test_memory_stays_after_an_exception():
    memory = Bytes()
    m = Machine(memory=memory, trace=boom)
    for value in (1, 2, 3):
        m.store(value)
    memory.bytes[RING:RING + 4096] = m.memory.read(RING, 4096)
    with pytest.raises(ZeroDivisionError):
        m.device.run()
    assert memory.bytes[0x2000] == 3 and m.device.engines[0].state == softgt.EngineState.IDLE
