/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "metered-queue-disc.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/object-spec.h"
#include "ns3/results.h"
#include "ns3/string.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(MeteredQueueDisc);

TypeId
MeteredQueueDisc::GetTypeId()
{
    const auto actions = [] {
        return MakeEnumChecker(MeteredQueueDisc::PASS,
                               "Pass",
                               MeteredQueueDisc::MARK,
                               "Mark",
                               MeteredQueueDisc::DROP,
                               "Drop",
                               MeteredQueueDisc::RANDOM_MARK,
                               "RandomMark",
                               MeteredQueueDisc::RANDOM_DROP,
                               "RandomDrop");
    };
    static TypeId tid =
        TypeId("ns3::MeteredQueueDisc")
            .SetParent<FabricQueueDisc>()
            .SetGroupName("Fabric")
            .AddConstructor<MeteredQueueDisc>()
            .AddAttribute("Inner",
                          "The discipline behind the meters, with its attributes",
                          SpecValue("drop-tail"),
                          MakeSpecAccessor(&MeteredQueueDisc::m_innerSpec),
                          MakeSpecChecker<FabricQueueDisc>())
            .AddAttribute("Classifier",
                          "What says the class of a packet, such as 'table:Key=Dscp,Map=\"46=1\"'. "
                          "In a stock ns-3 program the key must be the DSCP, unless the discipline "
                          "has packet filters: the number that these say is the priority",
                          SpecValue("table"),
                          MakeSpecAccessor(&MeteredQueueDisc::m_classifierSpec),
                          MakeSpecChecker<ItemClassifier>())
            .AddAttribute(
                "Meters",
                "Meters of the classes from 1 on, with their attributes, separated by "
                "semicolons, such as 'logical:Rate=50Gbps; single-rate:CommittedRate=1Gbps'",
                SpecValue(""),
                MakeSpecAccessor(&MeteredQueueDisc::m_meterSpecs),
                MakeSpecChecker<Meter>(true))
            .AddAttribute("Yellow",
                          "What becomes of a yellow packet, unless its class says otherwise "
                          "(Nimble, SOSR 2021, Section 3.1.2: Mark)",
                          EnumValue(MeteredQueueDisc::MARK),
                          MakeEnumAccessor<Action>(&MeteredQueueDisc::SetYellow,
                                                   &MeteredQueueDisc::GetYellow),
                          actions())
            .AddAttribute(
                "Red",
                "What becomes of a red packet, unless its class says otherwise (Nimble, "
                "SOSR 2021, Section 3.1.2: Drop)",
                EnumValue(MeteredQueueDisc::DROP),
                MakeEnumAccessor<Action>(&MeteredQueueDisc::SetRed, &MeteredQueueDisc::GetRed),
                actions())
            .AddAttribute(
                "MaxProbability",
                "With RandomMark and RandomDrop: the probability where the meter is about "
                "to turn red; it grows linearly from 0 where the meter turns yellow "
                "(Nimble, SOSR 2021, names none; RED, which it cites, Floyd and Jacobson 1993, has "
                "1/50)",
                DoubleValue(0.02),
                MakeDoubleAccessor(&MeteredQueueDisc::m_maxProbability),
                MakeDoubleChecker<double>(0, 1))
            .AddAttribute("AverageWeight",
                          "With RandomMark and RandomDrop: weight of a packet in the exponentially "
                          "weighted average of the meter's fill that the probability follows; 1: "
                          "the fill as it is (Nimble, SOSR 2021, names RED but no parameters)",
                          DoubleValue(1),
                          MakeDoubleAccessor(&MeteredQueueDisc::m_averageWeight),
                          MakeDoubleChecker<double>(1e-6, 1))
            .AddAttribute("ChargeDropped",
                          "Whether a yellow packet that is dropped has been charged to its meter: "
                          "true if the decision falls behind the meter (Nimble, SOSR 2021, Fig. 4)",
                          BooleanValue(true),
                          MakeBooleanAccessor(&MeteredQueueDisc::m_chargeDropped),
                          MakeBooleanChecker())
            .AddAttribute("CountClasses",
                          "Whether colours are counted by class, too (48 bytes each)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&MeteredQueueDisc::m_countClasses),
                          MakeBooleanChecker());
    return tid;
}

MeteredQueueDisc::MeteredQueueDisc()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

MeteredQueueDisc::~MeteredQueueDisc() = default;

void
MeteredQueueDisc::SetYellow(Action action)
{
    m_actions.yellow = action;
}

MeteredQueueDisc::Action
MeteredQueueDisc::GetYellow() const
{
    return m_actions.yellow;
}

void
MeteredQueueDisc::SetRed(Action action)
{
    m_actions.red = action;
}

MeteredQueueDisc::Action
MeteredQueueDisc::GetRed() const
{
    return m_actions.red;
}

void
MeteredQueueDisc::SetInner(Ptr<FabricQueueDisc> inner)
{
    m_inner = inner;
}

Ptr<FabricQueueDisc>
MeteredQueueDisc::GetInner() const
{
    return m_inner;
}

void
MeteredQueueDisc::SetClassifier(Ptr<ItemClassifier> classifier)
{
    m_classifier = classifier;
}

void
MeteredQueueDisc::DoInstall()
{
    const std::string name = GetInstanceTypeId().GetName();
    m_clock = NanosecondClock();
    if (!m_inner)
    {
        m_inner = CreateFromSpec<FabricQueueDisc>(name + "::Inner", m_innerSpec);
    }
    m_inner->SetOuter(this);
    if (!m_classifier)
    {
        m_classifier = CreateFromSpec<ItemClassifier>(name + "::Classifier", m_classifierSpec);
    }
    m_classifier->Install(GetFabric(), HasStockHome() && !HasPacketFilters());
    uint32_t number = 0;
    for (const Spec& spec : m_meterSpecs.GetItems(name + "::Meters"))
    {
        SetMeter(++number, CreateFromSpec<Meter>(name + "::Meters", spec));
    }
    CheckClasses(*m_classifier, PeekPointer(m_inner), "Meters", number);
}

void
MeteredQueueDisc::SetMeter(uint32_t number, Ptr<const Meter> meter)
{
    NS_ASSERT_MSG(number != ItemClassifier::NO_CLASS, "classes count from 1");
    if (meter)
    {
        meter->Check();
    }
    if (number >= m_limiters.size())
    {
        m_limiters.resize(number + 1);
        m_classActions.resize(number + 1, m_actions);
        m_classCounts.resize(m_countClasses ? number + 1 : 0);
        m_averages.resize(m_averageWeight < 1 ? number + 1 : 0);
    }
    Limiter& limiter = m_limiters[number];
    if (meter && limiter.meter)
    {
        limiter.meter->SwitchTo(*meter, limiter.state, m_clock.Now());
    }
    else if (meter)
    {
        limiter.state = meter->Start(m_clock.Now());
    }
    limiter.meter = meter;
}

void
MeteredQueueDisc::SetActions(uint32_t number, const Actions& actions)
{
    m_classActions.at(number) = actions;
}

void
MeteredQueueDisc::CountClasses()
{
    m_countClasses = true;
    m_classCounts.resize(m_limiters.size());
}

Meter::State
MeteredQueueDisc::GetState(uint32_t number) const
{
    const Limiter& limiter = m_limiters.at(number);
    return limiter.meter->GetSettled(limiter.state, m_clock.Now());
}

const MeteredQueueDisc::ColourCounts&
MeteredQueueDisc::GetColourCounts(uint32_t number) const
{
    return m_classCounts.at(number);
}

namespace
{

/**
 * @brief The colour that a packet comes with, for meters that look at it.
 * @param item the packet
 * @return by the drop precedence of Assured Forwarding (RFC 2597, Section 6): 1 green, 2 yellow, 3
 *         red; green if there is none
 */
Colour
GetColourBefore(const FabricItem& item)
{
    const int precedence = item.tos >> 3 & 3;
    return precedence == 0 ? Colour::GREEN : static_cast<Colour>(precedence - 1);
}

} // namespace

bool
MeteredQueueDisc::DoEnqueueItem(FabricItem* item)
{
    const uint32_t number = m_classifier->Classify(*item);
    if (number >= m_limiters.size() || !m_limiters[number].meter)
    {
        ++m_unmetered;
        return m_inner->EnqueueItem(item);
    }
    Limiter& limiter = m_limiters[number];
    const Meter::State before = limiter.state;
    const Colour colour =
        limiter.meter->Mark(limiter.state, m_clock.Now(), item->size, GetColourBefore(*item));
    m_counts.Add(colour, item->size);
    if (m_countClasses)
    {
        m_classCounts[number].Add(colour, item->size);
    }
    if (m_averageWeight < 1)
    {
        Average(number);
    }
    if (colour != Colour::GREEN && !TakeAction(item, number, colour, before))
    {
        return false;
    }
    return m_inner->EnqueueItem(item);
}

bool
MeteredQueueDisc::TakeAction(FabricItem* item,
                             uint32_t number,
                             Colour colour,
                             const Meter::State& before)
{
    const bool red = colour == Colour::RED;
    const Action action = red ? m_classActions[number].red : m_classActions[number].yellow;
    Limiter& limiter = m_limiters[number];
    const bool random = action == RANDOM_MARK || action == RANDOM_DROP;
    if (action == PASS || (random && !IsChosen(number)))
    {
        return true;
    }
    if (action == MARK || action == RANDOM_MARK)
    {
        m_unmarkable += !MarkItem(item, red ? RED_MARK : YELLOW_MARK);
        return true;
    }
    if (!m_chargeDropped)
    {
        limiter.meter->Refund(limiter.state, before, m_clock.Now());
    }
    return Drop(item, red ? RED_DROP : YELLOW_DROP);
}

bool
MeteredQueueDisc::IsChosen(uint32_t number)
{
    const Limiter& limiter = m_limiters[number];
    const double fill =
        m_averageWeight < 1 ? m_averages[number] : limiter.meter->GetYellowFill(limiter.state);
    return m_random->GetValue() < m_maxProbability * fill;
}

void
MeteredQueueDisc::Average(uint32_t number)
{
    const Limiter& limiter = m_limiters[number];
    float& average = m_averages[number];
    average += static_cast<float>(m_averageWeight *
                                  (limiter.meter->GetYellowFill(limiter.state) - average));
}

void
MeteredQueueDisc::ReportResults(Results& results) const
{
    const auto report = [&results](const ColourCounts& counts) {
        for (const Colour colour : {Colour::GREEN, Colour::YELLOW, Colour::RED})
        {
            std::ostringstream name;
            name << "metered_" << colour;
            const auto i = static_cast<uint8_t>(colour);
            results.Add(name.str() + "_packets", static_cast<double>(counts.packets[i]));
            results.Add(name.str() + "_bytes", static_cast<double>(counts.bytes[i]));
        }
    };
    report(m_counts);
    results.Add("unmetered_packets", static_cast<double>(m_unmetered));
    results.Add("metered_unmarkable_packets", static_cast<double>(m_unmarkable));
    m_inner->ReportResults(results);
}

int64_t
MeteredQueueDisc::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1 + m_inner->AssignStreams(stream + 1);
}

FabricItem*
MeteredQueueDisc::DoDequeueItem()
{
    return m_inner->DequeueItem();
}

FabricItem*
MeteredQueueDisc::DoFlushItem()
{
    return m_inner->FlushItem();
}

void
MeteredQueueDisc::ForEachWaiting(const std::function<void(const FabricItem&)>& visit) const
{
    m_inner->ForEachWaiting(visit);
}

void
MeteredQueueDisc::SetPausedPriorities(uint8_t priorities)
{
    m_inner->SetPausedPriorities(priorities);
}

void
MeteredQueueDisc::DoDispose()
{
    FabricQueueDisc::DoDispose(); // empties the inner discipline
    if (m_inner)
    {
        m_inner->Dispose();
        m_inner = nullptr;
    }
    m_classifier = nullptr;
    m_limiters.clear();
}

} // namespace ns3
