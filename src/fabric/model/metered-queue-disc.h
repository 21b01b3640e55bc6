/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef METERED_QUEUE_DISC_H
#define METERED_QUEUE_DISC_H

#include "fabric-queue-disc.h"
#include "item-classifier.h"

#include "ns3/meter.h"
#include "ns3/nanosecond-clock.h"
#include "ns3/random-variable-stream.h"
#include "ns3/spec.h"

#include <array>
#include <vector>

namespace ns3
{

/**
 * @ingroup fabric
 * @brief Meters in front of a queue: each class of packets has a meter, and the meter's colour says
 * what becomes of a packet.
 *
 * Green packets pass on to the inner discipline. Yellow and red ones are passed, marked or dropped,
 * always or with a probability that grows linearly with the meter's fill (Nimble, SOSR 2021,
 * Section 4.1, congestion manager). Packets of no class pass. A meter holds nothing back: no timer,
 * no queue of its own.
 */
class MeteredQueueDisc : public FabricQueueDisc
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    MeteredQueueDisc();
    ~MeteredQueueDisc() override;

    static constexpr const char* YELLOW_DROP = "Metered yellow"; //!< the meter said yellow
    static constexpr const char* RED_DROP = "Metered red";       //!< the meter said red
    static constexpr const char* YELLOW_MARK = YELLOW_DROP;      //!< the meter said yellow
    static constexpr const char* RED_MARK = RED_DROP;            //!< the meter said red

    /// @brief The fate of a packet of a colour.
    enum Action : uint8_t
    {
        PASS,        //!< nothing
        MARK,        //!< Congestion Experienced, if it is ECN-capable
        DROP,        //!< it is dropped
        RANDOM_MARK, //!< it is marked with a probability
        RANDOM_DROP, //!< it is dropped with a probability
    };

    /// @brief The fates of packets of a class.
    struct Actions
    {
        Action yellow{MARK}; //!< of yellow ones
        Action red{DROP};    //!< of red ones
    };

    /// @brief Verdicts of a meter, by colour.
    struct ColourCounts
    {
        std::array<uint64_t, 3> packets{}; //!< by colour
        std::array<uint64_t, 3> bytes{};   //!< by colour

        /**
         * @brief Count a packet.
         * @param colour of the packet
         * @param size of the packet in bytes
         */
        void Add(Colour colour, uint32_t size)
        {
            ++packets[static_cast<uint8_t>(colour)];
            bytes[static_cast<uint8_t>(colour)] += size;
        }
    };

    /**
     * @brief Set the discipline that the packets go to. Before the installation.
     * @param inner the discipline
     */
    void SetInner(Ptr<FabricQueueDisc> inner);

    /// @brief The discipline that the packets go to.
    Ptr<FabricQueueDisc> GetInner() const;

    /**
     * @brief Set what says the class of a packet. Before the installation.
     * @param classifier may be shared with other disciplines
     */
    void SetClassifier(Ptr<ItemClassifier> classifier);

    /**
     * @brief Give a class a meter, or another one. What the class has sent counts at the old rate
     * until now (Meter::SwitchTo()).
     * @param number of the class, counted from 1
     * @param meter the meter, which classes and ports may share; nullptr: the class is metered no
     * more
     * @throws InputError if the meter's attributes do not fit together
     */
    void SetMeter(uint32_t number, Ptr<const Meter> meter);

    /**
     * @brief Say what becomes of a class.
     * @param number of a class that has a meter
     * @param actions by colour
     */
    void SetActions(uint32_t number, const Actions& actions);

    /**
     * @brief The meter of a class.
     * @param number of the class, counted from 1
     * @return the meter; nullptr: it has none
     */
    Ptr<const Meter> GetMeter(uint32_t number) const
    {
        return number < m_limiters.size() ? m_limiters[number].meter : nullptr;
    }

    /**
     * @brief Numbers of classes that are in use.
     * @return a bound: the largest number, plus 1
     */
    uint32_t GetNClasses() const
    {
        return static_cast<uint32_t>(m_limiters.size());
    }

    /// @brief Count colours by class, too, from now on (attribute CountClasses).
    void CountClasses();

    /**
     * @brief State of the meter of a class, brought to the present. To ask changes nothing.
     * @param number of a class that has a meter
     * @return a copy of the state
     */
    Meter::State GetState(uint32_t number) const;

    /// @brief The verdicts of all meters.
    const ColourCounts& GetColourCounts() const
    {
        return m_counts;
    }

    /**
     * @brief The verdicts of the meter of a class. Only with the attribute CountClasses.
     * @param number of a class that has a meter
     * @return the counters
     */
    const ColourCounts& GetColourCounts(uint32_t number) const;

    /// @brief Packets whose class has no meter.
    uint64_t GetUnmeteredPackets() const
    {
        return m_unmetered;
    }

    /**
     * @brief Packets that were to be marked but are not ECN-capable. They passed.
     * @return number of packets
     */
    uint64_t GetUnmarkablePackets() const
    {
        return m_unmarkable;
    }

    void ReportResults(Results& results) const override;
    int64_t AssignStreams(int64_t stream) override;
    void ForEachWaiting(const std::function<void(const FabricItem&)>& visit) const override;
    void SetPausedPriorities(uint8_t priorities) override;

    bool UsesPriority() const override
    {
        return true;
    }

  protected:
    void DoInstall() override;

    bool DoEnqueueItem(FabricItem* item) override;
    FabricItem* DoDequeueItem() override;
    FabricItem* DoFlushItem() override;
    void DoDispose() override;

  private:
    /// @brief The meter of a class, in half a cache line.
    struct alignas(32) Limiter
    {
        Meter::State state{};     //!< the meter's memory
        Ptr<const Meter> meter{}; //!< its rule; nullptr: none
    };

    void SetYellow(Action action);
    Action GetYellow() const;
    void SetRed(Action action);
    Action GetRed() const;
    bool TakeAction(FabricItem* item, uint32_t number, Colour colour, const Meter::State& before);
    bool IsChosen(uint32_t number);
    void Average(uint32_t number);

    Spec m_innerSpec;        //!< attribute Inner
    Spec m_classifierSpec;   //!< attribute Classifier
    Spec m_meterSpecs;       //!< attribute Meters
    Actions m_actions;       //!< attributes Yellow and Red
    double m_maxProbability; //!< attribute MaxProbability
    double m_averageWeight;  //!< attribute AverageWeight
    bool m_chargeDropped;    //!< attribute ChargeDropped
    bool m_countClasses;     //!< attribute CountClasses

    NanosecondClock m_clock;                 //!< of the meters
    Ptr<UniformRandomVariable> m_random;     //!< for RANDOM_MARK and RANDOM_DROP
    Ptr<FabricQueueDisc> m_inner;            //!< discipline that packets go to
    Ptr<ItemClassifier> m_classifier;        //!< says the class of a packet
    std::vector<Limiter> m_limiters;         //!< by class
    std::vector<Actions> m_classActions;     //!< by class
    std::vector<ColourCounts> m_classCounts; //!< by class, if they are counted
    std::vector<float> m_averages;           //!< of the meters' fill, by class, if asked for
    ColourCounts m_counts;                   //!< of all classes
    uint64_t m_unmetered{0};                 //!< packets whose class has no meter
    uint64_t m_unmarkable{0};                //!< packets that could not be marked
};

} // namespace ns3

#endif /* METERED_QUEUE_DISC_H */
