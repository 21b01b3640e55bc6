/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRINITY_CHANNEL_H
#define TRINITY_CHANNEL_H

#include "byte-count-classifier.h"

#include "ns3/nanosecond-clock.h"
#include "ns3/pair-channel.h"
#include "ns3/token-bucket.h"

#include <array>

namespace ns3
{

/**
 * @ingroup trinity
 * @brief Trinity's VM-to-VM channel at the sender (Section 3.2, Fig. 4): a classifier, a FIFO for
 * short flows and one for long flows, a bucket of green tokens and one of red tokens.
 *
 * Packets of short flows go by green tokens alone. Packets of long flows go by green tokens while
 * no short ones wait, and by red tokens otherwise. A packet has the colour of its tokens.
 */
class TrinityChannel : public PairChannel
{
  public:
    /// @brief Settings that the channels of a host share.
    struct Settings
    {
        ByteCountClassifier::Settings classification; //!< short or long
        QueueLimit limit;                             //!< most that may wait in each FIFO
        uint32_t greenDepth{32768};                   //!< of the green bucket, in bytes
        uint32_t redDepth{32768};                     //!< of the red bucket, in bytes
        int64_t tau{0};  //!< time by which a flow's change from red to green is put off, in ns
        int64_t tick{0}; //!< tokens come once in that time, in ns; 0: steadily
    };

    /// @brief Counters of a channel, beyond PairChannel::Statistics.
    struct ColourStatistics
    {
        uint64_t greenBytes{0};   //!< bytes that left green
        uint64_t redBytes{0};     //!< bytes that left red
        uint32_t redPackets{0};   //!< packets that left red
        uint32_t droppedShort{0}; //!< packets that found the short FIFO full
        uint32_t droppedLong{0};  //!< packets that found the long FIFO full
    };

    /**
     * @brief Make a channel with full buckets that do not fill.
     * @param settings outlive the channel
     */
    explicit TrinityChannel(const Settings& settings);
    ~TrinityChannel() override;

    /**
     * @brief Set the rates. Tokens earned until now were earned at the old ones.
     * @param guaranteed R_G, of green tokens, in bit/s
     * @param spare R_W, of red tokens, in bit/s
     */
    void SetRates(double guaranteed, double spare);

    /**
     * @brief An item wants to go.
     * @param item the item
     * @param now the current time, in time steps
     * @return true if there was room
     * @throws InputError if a bucket can never hold the item's tokens
     */
    bool Enqueue(FabricItem* item, int64_t now) override;
    int64_t GetReleaseTime(int64_t now) override;
    FabricItem* Dequeue(int64_t now) override;
    FabricItem* Flush() override;
    void ForEachWaiting(const std::function<void(const FabricItem&)>& visit) const override;
    void ReportState(int64_t now, const StateVisitor& visit) const override;
    void ReportResults(Results& results) const override;

    /// @brief Counters so far.
    const ColourStatistics& GetColourStatistics() const
    {
        return m_colours;
    }

    /// @brief The green bucket.
    const TokenBucket& GetGreenBucket() const
    {
        return m_green;
    }

    /// @brief The red bucket.
    const TokenBucket& GetRedBucket() const
    {
        return m_red;
    }

    /**
     * @brief Time by which a flow's change from red to green is put off: tau, or less if green
     * tokens would overflow meanwhile and the guarantee were lost.
     * @return the time in ns
     */
    int64_t GetTransitionDelay() const
    {
        return m_tau;
    }

    // ---- Packet trapping (Section 3.3, Problem 2) ----

    /**
     * @brief An interval of the sender ended.
     * @param now the current time, in time steps
     */
    void EndInterval(int64_t now);

    /**
     * @brief The receiver got red packets.
     * @param packets that it had not reported yet
     */
    void AddRedReceived(uint32_t packets)
    {
        m_redReceived += packets;
    }

    /**
     * @brief Red packets that should have come by now and have not.
     * @param before only what was sent in the last interval that ended by then, in time steps
     * @return true if some were sent in that interval and are missing
     */
    bool MissesRed(int64_t before);

    uint32_t suspicions{0}; //!< reports in a row after which the pair seems trapped

  private:
    /// @brief Red packets sent until the end of an interval.
    struct Stock
    {
        int64_t time{-1};    //!< its end, in time steps; < 0: there was none
        uint32_t packets{0}; //!< sent so far
    };

    int64_t GetTime() const;
    int64_t GetGreenTime(int64_t now);
    int64_t GetRedTime(int64_t now);
    FabricItem* PopLong(bool isRed);
    void Colour(FabricItem& item, bool isRed);

    const Settings& m_settings;       //!< of all channels of the host
    ByteCountClassifier m_classifier; //!< short or long
    ItemFifo m_short;                 //!< of short flows; those of long ones wait in m_queues
    NanosecondClock m_clock;          //!< buckets count nanoseconds
    TokenBucket m_green;              //!< Token Bucket 1
    TokenBucket m_red;                //!< Token Bucket 2
    int64_t m_tau{0};                 //!< see GetTransitionDelay()
    TrinityFlow* m_longFlow{nullptr}; //!< of the first item in m_queues
    ColourStatistics m_colours;       //!< counters so far
    uint32_t m_redReceived{0};        //!< red packets that were reported or given up
    std::array<Stock, 3> m_stock;     //!< of the last intervals, the latest first
};

} // namespace ns3

#endif /* TRINITY_CHANNEL_H */
