/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOSE_PAIR_CONTROLLER_H
#define HOSE_PAIR_CONTROLLER_H

#include "pair-controller.h"

#include "ns3/data-rate.h"
#include "ns3/direct-timer.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"

#include <map>
#include <unordered_map>
#include <vector>

namespace ns3
{

class UnguaranteedPairs;

/**
 * @ingroup edge
 * @brief A controller that knows at every moment what each of its pairs is guaranteed, and hears
 * from the other end once per interval.
 *
 * A pair with a pipe is guaranteed that. Otherwise both VMs divide their hoses among their active
 * pairs, the sender by what pairs send and are granted, the receiver by what they receive, and the
 * pair gets the less of both shares (Trinity Eq. 1). The receiver's share comes with its reports;
 * until the first, the sender's own counts. A pair is active from its first item until nothing has
 * waited or come for ActiveIntervals.
 *
 * One timer per host does all this, or two if hoses are divided at intervals of their own; they are
 * armed only while a pair is active.
 */
class HosePairController : public PairController
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    HosePairController();
    ~HosePairController() override;

    /// @brief The division of a VM's hose.
    enum Partition
    {
        EQUAL,  //!< equally among its active pairs (Trinity Section 3.3)
        MAX_MIN //!< by demand (ElasticSwitch)
    };

    /// @brief One end of a pair.
    struct End
    {
        uint32_t pair{0};     //!< number of the pair
        bool isActive{false}; //!< true if it counts
        uint32_t quiet{0};    //!< intervals without traffic
        uint64_t seen{0};     //!< its traffic until the last interval ended, in bytes
        int64_t since{0};     //!< time at which its demand was measured last, in time steps
        uint64_t bytes{0};    //!< its traffic until then
        double demand{0};     //!< rate that it can use, in bit/s
        double share{0};      //!< of the hose of this end's VM, in bit/s
    };

    /// @brief A receiver of a controller of this kind.
    class Receiver : public PairReceiver
    {
      public:
        using PairReceiver::PairReceiver;

      private:
        friend class HosePairController;

        End m_end; //!< share that its VM grants it
    };

    bool HasReceivers() const override;
    std::unique_ptr<PairReceiver> CreateReceiver(uint32_t pair) override;
    void OnActivate(PairChannel& channel, int64_t now) override;
    void OnReceive(PairReceiver& receiver, FabricItem& item, int64_t now) override;
    void OnReport(PairChannel& channel, const PairReport& report, int64_t now) override;
    void OnTermsChanged(uint32_t tenant) override;
    int64_t AssignStreams(int64_t stream) override;
    void ReportState(const PairChannel& channel,
                     int64_t now,
                     const PairChannel::StateVisitor& visit) const override;

    /**
     * @brief The present guarantee of a pair.
     * @param pair number of a pair that sends from this host
     * @return bits of IP datagrams per second; 0 before its first item
     */
    double GetGuarantee(uint32_t pair) const;

    /**
     * @brief True if the timer is armed.
     * @return true while a pair is active
     */
    bool IsTimerArmed() const
    {
        return m_timer.IsPending();
    }

  protected:
    /**
     * @brief A pair's guarantee changed, or is known for the first time.
     * @param channel of the pair
     * @param guarantee bits of IP datagrams per second
     */
    virtual void SetGuarantee(PairChannel& channel, double guarantee) = 0;

    /**
     * @brief True if the sender of a pair needs reports.
     * @param pair number of the pair
     * @return true unless it has a pipe; a subclass may need more
     */
    virtual bool NeedsReports(uint32_t pair) const;

    /**
     * @brief An interval ended, and guarantees are those of the next.
     * @param now the current time, in time steps
     */
    virtual void OnInterval(int64_t now);

    /**
     * @brief Nothing has waited or come for a pair for ActiveIntervals; it no longer counts.
     * @param channel of the pair
     */
    virtual void OnDeactivate(PairChannel& channel);

    void DoDispose() override;

  private:
    /// @brief The sending end of a pair.
    struct SenderEnd : End
    {
        PairChannel* channel{nullptr}; //!< of the pair
        double granted;                //!< share at the other end; infinity: not known
        double guarantee{0};           //!< guarantee of the pair; 0: not known yet
    };

    /// @brief The active pairs of a VM of this host.
    struct LocalVm
    {
        std::vector<SenderEnd*> senders;  //!< pairs that send
        std::vector<Receiver*> receivers; //!< pairs that receive
        bool receiversJoined{false};      //!< true if some of them have no share yet
    };

    bool HasPipe(uint32_t pair) const;
    void HandleTimer();
    void HandlePartitionTimer();
    void StartTimers();
    int64_t DrawInterval();
    Time GetInterval() const;
    void SetInterval(Time interval);
    void Start(End& end, uint64_t bytes, int64_t now) const;
    void Watch(End& end, uint64_t bytes, bool waits) const;
    void DropInactive(LocalVm& local);
    void Measure(End& end, uint64_t bytes, bool waits, double reference, int64_t now) const;
    void MeasureDemands(LocalVm& local, int64_t now);
    std::vector<double> Divide(DataRate hose, std::vector<double> bounds) const;
    void DivideAmongSenders(uint32_t vm, LocalVm& local);
    void AdmitReceivers(uint32_t vm, LocalVm& local);
    void DivideAmongReceivers(uint32_t vm, LocalVm& local);
    UnguaranteedPairs& GetUnguaranteed();
    double GetLeastGuarantee(uint32_t pair);
    void Grant(SenderEnd& end);
    void SendReports(const LocalVm& local, int64_t now) const;

    Partition m_partition;                             //!< attribute Partition
    Time m_interval;                                   //!< attribute Interval
    Time m_partitionInterval;                          //!< attribute PartitionInterval
    uint32_t m_activeIntervals;                        //!< attribute ActiveIntervals
    double m_demandFactor;                             //!< attribute DemandFactor
    DataRate m_leastGuarantee;                         //!< attribute LeastGuarantee
    Ptr<UnguaranteedPairs> m_unguaranteed;             //!< of all hosts; nullptr: none so far
    std::unordered_map<uint32_t, SenderEnd> m_senders; //!< by pair; they never move
    std::map<uint32_t, LocalVm> m_vms;                 //!< by VM, those that were ever active
    DirectTimer m_timer;                               //!< ends the interval
    DirectTimer m_partitionTimer;        //!< divides the hoses, if they have their own interval
    double m_jitter;                     //!< attribute IntervalJitter
    Ptr<UniformRandomVariable> m_random; //!< of the lengths of intervals
};

} // namespace ns3

#endif /* HOSE_PAIR_CONTROLLER_H */
