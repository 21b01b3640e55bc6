/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "host-model.h"

#include "lean-transport.h"
#include "reliable-transport.h"
#include "transport.h"
#include "udp-transport.h"

#include "ns3/attribute-form.h"
#include "ns3/fabric-queue-disc.h"
#include "ns3/former-settings.h"
#include "ns3/input-error.h"
#include "ns3/object-settings.h"
#include "ns3/object-spec.h"
#include "ns3/queue-limit.h"
#include "ns3/string.h"

#include <array>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HostModel);

/// Sizes were bytes; 0: no limit.
static const FormerSettings g_formerHostModelSettings{
    {"ns3::HostModel", "SmallQueue", 1, "B", 0, "0", {"Backlog"}},
    {"ns3::HostModel", "SendBuffer", 1, "B", 0, "0"},
    {"ns3::HostModel", "Autosizing", 0, "", 0, "", {"SmallQueueTime", "BurstTime"}},
    {"ns3::HostModel", "Kernel", 0, "", 0, "", {"linux-"}},
};

namespace
{

/**
 * The models. Small queues are those of a queue pair: one packet is sent while the next waits.
 * Marks of 24 us are DCTCP's 20 packets at 10 Gbit/s. Linux has had small queues of 128 KiB since
 * 3.6, and bursts and small queues by the pacing rate since 4.0 (2^20 ns); later kernels have
 * larger small queues. A UDP socket's buffer of 212992 bytes (wmem_default) holds 92 packets of
 * 2304 bytes of kernel memory. Drivers differ in what they coalesce: 20 us is a choice.
 */
const SpecRows g_hostModels(
    &HostModel::GetTypeId,
    {
        {"ideal",
         "ns3::HostModel",
         "packet by packet, at once; transports as their attributes say"},
        {"small-queues",
         "ns3::HostModel:Backlog=2p",
         "a flow has at most two packets in its host's own port"},
        {"fq", "ns3::HostModel:Queue=drr", "a queue per flow at the host's own port"},
        {"fq-mark", "fq:Mark=24us", "a queue per flow at the host's own port, which marks"},
        {"linux",
         "ns3::HostModel:Backlog=128KiB,SmallQueueTime=1048576ns,SendBuffer=138000B,"
         "BurstSize=65536,BurstTime=1048576ns,BurstWindowShare=3,CoalesceTime=20us,"
         "CoalesceSize=65536",
         "segmentation offload, small queues and receive coalescing of Linux 4.0"},
        {"linux-4.0", "linux", "the same as linux"},
        {"linux-3.6",
         "linux:SmallQueueTime=0s,BurstTime=0s",
         "Linux before 4.0: bursts and small queues of a fixed size"},
        {"linux-2.6.38", "linux-3.6:Backlog=never", "Linux before 3.6: no small queues"},
    });

/// Attributes that are those of TCP transports, of the same name.
constexpr std::array TCP_ATTRIBUTES{"Backlog",
                                    "SmallQueueTime",
                                    "InitialCwnd",
                                    "MinRto",
                                    "InitialRto",
                                    "Handshake",
                                    "Persistence",
                                    "BurstSize",
                                    "BurstTime",
                                    "BurstWindowShare",
                                    "CoalesceTime",
                                    "CoalesceSize"};

constexpr const char* SEND_BUFFER = "SendBuffer"; ///< attribute that is UDP's

/**
 * @param attribute of a host model
 * @return says what its text can be
 */
Ptr<const AttributeChecker>
FindChecker(const TypeId::AttributeInformation& attribute)
{
    if (GetAttributeForm(*attribute.checker).kind == "spec")
    {
        return attribute.checker;
    }
    for (const TypeId& type : {LeanTransport::GetTypeId(), UdpTransport::GetTypeId()})
    {
        TypeId::AttributeInformation same;
        if (type.LookupAttributeByName(attribute.name, &same))
        {
            return same.checker;
        }
    }
    return MakeQueueLimitChecker(); // of a port
}

} // namespace

TypeId
HostModel::GetTypeId()
{
    static TypeId tid = [] {
        TypeId id("ns3::HostModel");
        id.SetParent<Object>();
        id.SetGroupName("Transport");
        id.AddConstructor<HostModel>();
        const auto add = [&id](const std::string& name,
                               std::string HostModel::* member,
                               const std::string& help) {
            id.AddAttribute(name,
                            help,
                            StringValue(""),
                            MakeStringAccessor(member),
                            MakeStringChecker());
        };
        const std::string open = "; empty: as the transport has it";
        add("Backlog",
            &HostModel::m_backlog,
            "Most that a flow has in the port of its own host, in bytes, packets or time at the "
            "link's rate, as TCP small queues bound it" +
                open);
        add("SmallQueueTime",
            &HostModel::m_smallQueueTime,
            "The same as time at the pacing rate, at most Backlog" + open);
        add("SendBuffer", &HostModel::m_sendBuffer, "Backlog of UDP" + open);
        id.AddAttribute("Queue",
                        "Discipline of a host's own port; empty: the scheme's",
                        SpecValue(""),
                        MakeSpecAccessor(&HostModel::m_queue),
                        MakeSpecChecker<FabricQueueDisc>());
        add("Mark",
            &HostModel::m_mark,
            "A host's own port marks while more than this waits, in a queue of its own where "
            "there are several; empty: as the scheme says");
        add("Buffer",
            &HostModel::m_buffer,
            "Most that waits in a host's own port; empty: as the scheme says");
        add("InitialCwnd", &HostModel::m_initialCwnd, "Initial window in segments" + open);
        add("MinRto", &HostModel::m_minRto, "Least retransmission timeout" + open);
        add("InitialRto",
            &HostModel::m_initialRto,
            "Retransmission timeout before there is an RTT sample" + open);
        add("Handshake", &HostModel::m_handshake, "Whether connections begin with one" + open);
        add("Persistence", &HostModel::m_persistence, "What a flow means to connections" + open);
        add("BurstSize",
            &HostModel::m_burstSize,
            "Most payload of a TCP burst in bytes; 0: no segmentation offload" + open);
        add("BurstTime", &HostModel::m_burstTime, "The same as time at the pacing rate" + open);
        add("BurstWindowShare",
            &HostModel::m_burstWindowShare,
            "TCP waits until a full burst or the window over this may be sent "
            "(tcp_tso_win_divisor)" +
                open);
        add("CoalesceTime",
            &HostModel::m_coalesceTime,
            "Longest that data waits for the receiver's interrupt; 0: no receive offload" + open);
        add("CoalesceSize",
            &HostModel::m_coalesceSize,
            "Most payload that receive offload makes one segment of, in bytes" + open);
        return id;
    }();
    return tid;
}

Ptr<HostModel>
HostModel::Create(const Spec& spec)
{
    auto model = CreateFromSpec<HostModel>("--hosts", spec);
    model->m_spec = spec;
    return model;
}

std::string
HostModel::GetSummary() const
{
    const std::string name = m_spec.GetName();
    const std::string text = m_spec.ToString();
    const SpecRow* row = SpecRows::Find(GetTypeId(), name);
    const std::string changed =
        text.size() > name.size() ? ", but with " + text.substr(name.size() + 1) : "";
    return (row ? row->summary : "") + changed;
}

std::string
HostModel::GetText(const std::string& attribute) const
{
    StringValue value;
    GetAttribute(attribute, value);
    return value.Get();
}

JsonObject
HostModel::GetSettings() const
{
    JsonObject settings;
    settings.Set("name", m_spec.GetName());
    for (std::size_t i = 0; i < GetTypeId().GetAttributeN(); ++i)
    {
        const auto attribute = GetTypeId().GetAttribute(i);
        if (const std::string text = GetText(attribute.name); !text.empty())
        {
            const auto checker = FindChecker(attribute);
            const auto value = ParseAttributeValue("--hosts " + attribute.name, *checker, text);
            AddSetting(settings, attribute.name, *value, checker);
        }
    }
    return settings;
}

void
HostModel::CheckTaken() const
{
    std::vector<const char*> attributes(TCP_ATTRIBUTES.begin(), TCP_ATTRIBUTES.end());
    attributes.push_back(SEND_BUFFER);
    for (const char* attribute : attributes)
    {
        if (!GetText(attribute).empty() && SetsAttribute("--hosts", m_spec, attribute) &&
            !m_taken.contains(attribute))
        {
            throw InputError("--hosts",
                             m_spec.ToString(),
                             std::string("no transport of this run has ") + attribute);
        }
    }
}

std::map<std::string, std::string>
HostModel::GetTransportDefaults(const std::string& argument, const Spec& spec)
{
    const std::string name = spec.GetName();
    const TypeId type = LookupRegisteredName(argument, name, Transport::GetTypeId());
    // What network cards run keeps its own, unless the user says so: Linux's is that of its TCP.
    const bool isOfCards = type.IsChildOf(ReliableTransport::GetTypeId());
    std::map<std::string, std::string> defaults;
    const auto set = [&](const std::string& attribute) {
        const std::string text = GetText(attribute);
        TypeId::AttributeInformation info;
        if (text.empty())
        {
            return;
        }
        if (!type.LookupAttributeByName(attribute, &info))
        {
            Depart(name, attribute, "has no");
            return;
        }
        m_taken.insert(attribute);
        const auto wanted = ParseAttributeValue("--hosts " + attribute, *info.checker, text);
        const bool isWritten = SetsAttribute(argument, spec, attribute);
        if (!isWritten && (!isOfCards || SetsAttribute("--hosts", m_spec, attribute)))
        {
            defaults[attribute] = text;
        }
        else if (isWritten || wanted->SerializeToString(info.checker) !=
                                  info.initialValue->SerializeToString(info.checker))
        {
            Depart(name, attribute, "has its own");
        }
    };
    TypeId::AttributeInformation unused;
    if (type.LookupAttributeByName(SEND_BUFFER, &unused))
    {
        set(SEND_BUFFER);
        set("Backlog");
        return defaults;
    }
    for (const char* attribute : TCP_ATTRIBUTES)
    {
        set(attribute);
    }
    return defaults;
}

void
HostModel::Depart(const std::string& who, const std::string& attribute, const std::string& why)
{
    if (SetsAttribute("--hosts", m_spec, attribute))
    {
        throw InputError("--hosts", m_spec.ToString(), who + " " + why + " " + attribute);
    }
    std::string& attributes = m_deviations[{who, why}];
    attributes += (attributes.empty() ? "" : ", ") + attribute;
}

std::vector<std::string>
HostModel::GetDeviations() const
{
    std::vector<std::string> lines;
    for (const auto& [who, attributes] : m_deviations)
    {
        lines.push_back(who.first + " " + who.second + " " + attributes);
    }
    return lines;
}

} // namespace ns3
