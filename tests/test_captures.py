# SPDX-License-Identifier: GPL-2.0-only
"""Captures, read by tshark: TCP as it is, the suite's own headers by its dissector."""

import csv
import resource
import shutil
import signal
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import ROOT
from test_scenarios import BIN, numbers

DISSECTOR = ROOT / "src" / "telemetry" / "data" / "suite.lua"
pytestmark = pytest.mark.skipif(
    not (BIN / "fct").exists() or not shutil.which("tshark"), reason="needs the build and tshark"
)
STAR = "--topology=single-switch:Hosts=3,HostRate=10Gbps,LinkDelay=2us"
DELAY, RATE = 2e-6, 10e9  # of its links, in seconds and bit/s
PORTS = "--pcap=host0:0,host1:0,host2:0,switch0:0,switch0:1,switch0:2"  # all


def tshark(capture: Path, *words: str) -> str:
    """The output of tshark, with the suite's dissector, on a capture."""
    command = ["tshark", "-X", f"lua_script:{DISSECTOR}", "-r", capture, *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "lua" not in done.stderr.lower(), done.stderr
    return done.stdout


def fields(capture: Path, chosen: str, *names: str) -> list[list[str]]:
    """Fields of the chosen packets, as numbers; one that occurs several times has commas."""
    words = [word for name in names for word in ("-e", name)]
    out = tshark(capture, "-o", "tcp.check_checksum:TRUE", "-Y", chosen, "-T", "fields", *words)
    return [line.split("\t") for line in out.splitlines()]


def packets(capture: Path) -> Iterator[bytes]:
    """The bytes of a capture's packets, from the IP header on."""
    content = capture.read_bytes()
    at = 24
    while at < len(content):
        kept, size = struct.unpack("<II", content[at + 8 : at + 16])
        assert kept == size
        yield content[at + 16 : at + 16 + kept]
        at += 16 + kept


def unharmed(capture: Path) -> None:
    """Nothing is malformed, all checksums and lengths are right."""
    bad = "_ws.malformed || ip.checksum.status == 0 || tcp.checksum.status == 0"
    more = "udp.checksum.status == 0 || ip.bogus_ip_length || _ws.lua.error"
    options = ("-o", "ip.check_checksum:TRUE", "-o", "tcp.check_checksum:TRUE")
    assert tshark(capture, *options, "-Y", f"{bad} || {more}") == ""
    assert all(int.from_bytes(p[2:4], "big") == len(p) for p in packets(capture))


def incast(folder: Path, *words: str) -> tuple[dict[str, float], dict[int, dict[str, str]]]:
    """Two hosts of three send to the third, all ports captured: results, and flows by source."""
    found = numbers(folder, "incast", STAR, "--senders=2", PORTS, *words)
    with (folder / "incast/flows.csv").open() as file:
        flows = {int(flow["source"]): flow for flow in csv.DictReader(file)}
    assert len(flows) == 2
    return found, flows


@pytest.mark.parametrize("room", [5000, 500000])  # one fills up at the file's end, one before
def test_a_capture_without_room_is_one_line(tmp_path: Path, room: int) -> None:
    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    command = [BIN / "incast", STAR, "--senders=2", "--pcap=host0", "--out=out"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, preexec_fn=limit, timeout=60
    )
    assert done.returncode == 1
    said = done.stderr.splitlines()
    assert said[-1].endswith("host0.pcap': must be a writable folder (File too large)"), said
    assert not (tmp_path / "out").exists()


# Payload of both flows loses segments in the small buffer; what options there are, all are used.
TCP = {
    "tcp": ("--scheme=tcp:EdgeBuffer=8p",),
    "dctcp": ("--scheme=dctcp",),
    "timestamps": ("--scheme=tcp:EdgeBuffer=8p", "--transport=lean:Timestamp=true"),
}


@pytest.mark.parametrize("name", TCP)
def test_tshark_follows_lean_tcp(tmp_path: Path, name: str) -> None:
    """Bytes, retransmissions and goodput of a stream are those of the flow."""
    found, flows = incast(tmp_path, *TCP[name], "--bytes=600000")
    result = tmp_path / "incast"
    again = sacked = 0
    for source, flow in flows.items():
        sent, back = result / f"host{source}-0.pcap", result / f"switch0-{source}.pcap"
        unharmed(sent)
        unharmed(back)
        # The stream, as it comes out of the switch, holds the flow's bytes.
        to = result / f"switch0-{flow['destination']}.pcap"
        address = f"ip.src == 10.0.0.{source + 1}"
        streams = {line[0] for line in fields(to, address, "tcp.stream")}
        assert len(streams) == 1
        raw = tshark(to, "-q", "-z", f"follow,tcp,raw,{streams.pop()}")
        payload = [line.strip() for line in raw.splitlines() if set(line.strip()) == {"0"}]
        assert sum(len(line) for line in payload) == 2 * int(flow["bytes"])
        # Goodput: from the first data to the arrival of the acknowledgment of all.
        data = fields(sent, "tcp.len > 0", "frame.time_epoch", "tcp.seq_raw", "tcp.len")
        ends = [int(seq) + int(length) for _, seq, length in data]
        assert max(ends) == int(flow["bytes"]) + 1  # the SYN has number 0
        again += len(data) - len({line[1] for line in data})
        all_of_it = f"tcp.flags.ack == 1 && tcp.ack_raw == {max(ends)}"
        when, size = fields(back, all_of_it, "frame.time_epoch", "ip.len")[0]
        # The third part of the handshake leaves as the sender begins to send data.
        begin = fields(sent, "tcp.flags.syn == 0", "frame.time_epoch", "tcp.len")[0]
        assert begin[1] == "0"
        took = float(when) + 8 * int(size) / RATE + DELAY - float(begin[0])
        assert took == pytest.approx(float(flow["fct_ns"]) * 1e-9, abs=2e-9)
        # How the connection opens, and what its options say.
        syn = fields(sent, "tcp.flags.syn == 1", "tcp.seq_raw", "tcp.flags", "tcp.dstport")
        assert [line[0] for line in syn] == ["0"]
        assert int(syn[0][1], 16) & 0x0C0 == (0x0C0 if name == "dctcp" else 0)
        assert syn[0][2] == "5001"
        shift = fields(back, "tcp.flags.syn == 1", "tcp.options.wscale.shift")[0][0]
        window = fields(back, "tcp.flags.syn == 0", "tcp.window_size_value")[0][0]
        assert int(window) << int(shift) == 4 << 20
        echoes = fields(back, "tcp.options.timestamp.tsecr > 0", "tcp.options.timestamp.tsecr")
        assert bool(echoes) == (name == "timestamps")
        sacked += len(fields(back, "tcp.options.sack_le", "frame.number"))
    if name == "dctcp":
        assert found["dropped_packets"] == 0
        return
    assert found["dropped_packets"] > 0
    assert again == found["retransmissions"] > 0
    assert sacked > 0


def test_a_host_is_captured_in_both_directions(tmp_path: Path) -> None:
    """Host 0's packets and the switch's to it are captured, and nothing changes by looking."""
    for name in ("ports", "hosts"):
        (tmp_path / name).mkdir()
    by_port, _ = incast(tmp_path / "ports", "--scheme=dctcp", "--bytes=60000")
    by_host, _ = incast(tmp_path / "hosts", "--scheme=dctcp", "--bytes=60000", "--pcap=host0,host2")
    assert by_host == by_port
    ports = tmp_path / "ports/incast"
    for host in (0, 2):
        own = f"ip.src == 10.0.0.{host + 1}"
        both = tmp_path / f"hosts/incast/host{host}.pcap"
        unharmed(both)
        names = ("ip.src", "ip.dst", "tcp.seq_raw", "tcp.ack_raw", "tcp.len")
        assert fields(both, own, *names) == fields(ports / f"host{host}-0.pcap", own, *names)
        to = f"ip.dst == 10.0.0.{host + 1}"
        assert fields(both, to, *names) == fields(ports / f"switch0-{host}.pcap", to, *names)


def test_packet_pair_is_decoded(tmp_path: Path) -> None:
    _, flows = incast(tmp_path, "--scheme=afq", "--transport=packet-pair", "--bytes=50000")
    source = next(iter(flows))
    ports = (f"host{source}:0", f"switch0:{source}")
    data, answers = (tmp_path / f"incast/{port.replace(':', '-')}.pcap" for port in ports)
    unharmed(data)
    unharmed(answers)
    names = ("sequence", "sent", "first", "again", "last", "pair")
    seen = fields(data, "packetpair.answer == 0", *(f"packetpair.{name}" for name in names))
    expected = []
    for packet in packets(data):
        sequence, sent, measure = struct.unpack(">III", packet[28:40])
        flags = [str(measure >> bit & 1) for bit in (30, 29, 28)]
        expected.append([str(sequence), str(sent), *flags, str(measure & 0x0FFFFFFF)])
    assert seen == expected
    size = int(flows[source]["bytes"])
    assert {line[0] for line in seen} == {str(first) for first in range(0, size, 1460)}
    last = {line[0] for line in seen if line[4] == "1"}
    assert last == {str(size // 1460 * 1460)}  # the last of the flow
    names = ("next", "echo", "marked", "gap")
    seen = fields(answers, "packetpair.answer == 1", *(f"packetpair.{name}" for name in names))
    expected = []
    for packet in packets(answers):
        following, echo, measure = struct.unpack(">III", packet[28:40])
        gap = measure & 0x3FFFFFFF
        expected.append([str(following), str(echo), str(measure >> 30 & 1), str(gap)])
    assert seen == expected
    assert seen[-1][0] == str(size)
    assert any(line[3] == "2400" for line in seen)  # two senders: every other packet of 1.2 us


def test_reports_are_decoded(tmp_path: Path) -> None:
    often = "--ns3::HosePairController::Interval=200us"
    found, flows = incast(tmp_path, "--scheme=trinity", "--bytes=3000000", often)
    assert found["pair_reports_sent"] > 5
    reports = tmp_path / f"incast/host{next(iter(flows.values()))['destination']}-0.pcap"
    unharmed(reports)
    names = ("version", "flags", "congestion", "sequence", "rate", "red_rate", "share")
    names = (*(f"pairreport.{name}" for name in names), "pairreport.red_packets")
    seen = fields(reports, "pairreport", *names)
    expected = []
    for packet in packets(reports):
        if packet[9] != 143:
            continue
        version, flags, *others = struct.unpack(">BBHIIIII", packet[20:44])
        expected.append([str(version), f"0x{flags:02x}", *map(str, others)])
    assert seen
    assert seen == expected
    assert {line[0] for line in seen} == {"1"}
    assert any(int(line[4]) > 1e6 for line in seen)  # more than 1 Gbit/s received


@pytest.mark.parametrize("bits", [24, 16])
def test_probes_of_ufab_are_decoded(tmp_path: Path, bits: int) -> None:
    """Type, source route, tokens and each hop's INT record, on the way in and on the way back."""
    topology = "--topology=leaf-spine:Leaves=2,HostsPerLeaf=2,Spines=2"
    ports = [f"host{i}:0" for i in range(4)] + [f"leaf0:{i}" for i in range(4)]
    capture = f"--pcap={','.join(ports)}"
    scheme = f"--scheme=mufab:Controller=mufab:TokenBits={bits}"
    words = (scheme, topology, "--senders=3", "--bytes=1000000", capture)
    numbers(tmp_path, "incast", *words)
    names = ["route.switches", "route.port", "type", "hops", "tokens"]
    names += [f"hop.{name}" for name in ("window", "tokens", "rate", "queue", "speed", "gbps")]
    types: set[str] = set()
    for port in ports:
        probes = tmp_path / f"incast/{port.replace(':', '-')}.pcap"
        unharmed(probes)
        seen = fields(probes, "ufab", *(f"ufab.{name}" for name in names))
        expected = [decoded(packet, bits // 8) for packet in packets(probes) if packet[9] == 254]
        assert seen == expected
        types |= {line[2] for line in seen}
        for line in seen:
            assert len(line[5].split(",")) == int(line[0])
            if line[2] == "2":  # a response has been at all switches, each with links of 10 Gbit/s
                assert line[3] == line[0]
    assert {"1", "2"} <= types


def decoded(packet: bytes, token_bytes: int) -> list[str]:
    """The fields of a probe, read without the dissector."""
    switches = packet[20]
    route = packet[21 : 21 + switches]
    rest = packet[21 + switches :]
    tokens = int.from_bytes(rest[1 : 1 + token_bytes], "big")
    records = struct.unpack(f">{4 * switches}H", rest[1 + token_bytes :])
    speeds = [0, 1, 10, 25, 40, 50, 100, 200, 400]
    ends = records[3::4]
    columns = [
        *(list(route), [rest[0] >> 4], [rest[0] & 15], [tokens]),
        *(records[i::4] for i in range(3)),
        [end >> 4 for end in ends],
        [end & 15 for end in ends],
        [speeds[end & 15] for end in ends],
    ]
    return [str(switches), *(",".join(map(str, column)) for column in columns)]
