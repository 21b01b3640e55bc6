/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOW_TABLE_H
#define FLOW_TABLE_H

#include "ns3/nstime.h"
#include "ns3/scratch-file.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup telemetry
 * @brief The life of flows: when each started, first sent and finished.
 *
 * The flow completion time (FCT) runs from the first transmission of payload to the arrival at the
 * sender of the acknowledgment of the last byte, so that a handshake does not count. Slowdown is
 * FCT divided by the ideal time, the FCT in an idle network, that the caller gives.
 *
 * Only flows that start in the window [from, to) are measured, written and counted; the others
 * are only counted. Long-lived flows of no stated size (0 bytes) are written but have no part in
 * the statistics.
 *
 * Memory is taken by flows that are not over. The others are in a ScratchFile, in blocks of flows
 * whose numbers follow each other; a block stays in memory as long as one of its flows does.
 */
class FlowTable
{
  public:
    /**
     * @brief Make an empty table.
     * @param from flows that start before are not measured
     * @param to flows that start then or later are not measured
     */
    FlowTable(Time from, Time to);

    /**
     * @brief A flow starts, that is, it is asked for.
     * @param id its number: each flow has its own; those of one time are close to each other
     * @param group its group in the workload
     * @param source sending host
     * @param destination receiving host
     * @param bytes payload in bytes; 0 for a flow that sends until it is stopped
     * @param start time at which it is asked for
     * @param ideal its FCT in an idle network; 0 if not known
     */
    void Started(uint64_t id,
                 uint32_t group,
                 uint32_t source,
                 uint32_t destination,
                 uint64_t bytes,
                 Time start,
                 Time ideal);

    /**
     * @brief A flow sends payload. Only the first call for a flow counts.
     * @param id a flow that has started
     * @param time time of the first transmission
     */
    void FirstSent(uint64_t id, Time time);

    /**
     * @brief A flow could have been faster than its ideal time: the network has changed.
     * @param id a flow that has started and is not over
     * @param ideal its FCT in the idle network as it is now; if it is longer, nothing changes
     */
    void LowerIdeal(uint64_t id, Time ideal);

    /**
     * @brief The last byte of a flow is acknowledged. A flow whose first transmission was not
     * reported counts as having sent when it started.
     * @param id a flow that has started and not finished
     * @param time time of the acknowledgment
     */
    void Finished(uint64_t id, Time time);

    /**
     * @brief A flow is over without having delivered all its bytes. It counts as unfinished.
     * @param id a flow that has started and not finished
     * @param bytes number of missing bytes
     */
    void Lost(uint64_t id, uint64_t bytes);

    /// @return measured flows that started
    uint64_t GetStarted() const
    {
        return m_started;
    }

    /// @return measured flows that finished
    uint64_t GetFinished() const
    {
        return m_finished;
    }

    /// @return measured flows that have not finished
    uint64_t GetUnfinished() const
    {
        return m_started - m_finished;
    }

    /// @return measured flows of a stated size that started; the others have no end
    uint64_t GetSizedStarted() const
    {
        return m_sizedStarted;
    }

    /// @return measured flows of a stated size that finished
    uint64_t GetSizedFinished() const
    {
        return m_sizedFinished;
    }

    /// @return flows outside the measured window
    uint64_t GetExcluded() const
    {
        return m_excluded;
    }

    /**
     * @brief Writes the measured flows in the order of their numbers:
     * `flow,group,source,destination,bytes,start_ns,
     * first_sent_ns,fct_ns,ideal_ns,slowdown,finished,lost_bytes`. What does not exist is an empty
     * cell; bytes are lost if the flow is over without having delivered them.
     * @param path the file
     * @throws InputError naming --out if the file cannot be written
     */
    void Write(const std::string& path) const;

  private:
    static constexpr int64_t NEVER = -1; //!< a time that has not come

    /// One flow; times in time steps.
    struct Record
    {
        uint64_t bytes{0};        //!< payload in bytes
        int64_t start{NEVER};     //!< start; NEVER: no measured flow has this number
        int64_t firstSent{NEVER}; //!< first transmission
        int64_t finished{NEVER};  //!< acknowledgment of the last byte
        int64_t ideal{0};         //!< FCT in an idle network; 0 if not known
        uint64_t lost{0};         //!< bytes that it has not delivered, once it is over
        uint32_t group{0};        //!< group
        uint32_t source{0};       //!< sending host
        uint32_t destination{0};  //!< receiving host

        /// @return FCT in time steps, of a flow that has finished
        int64_t GetFct() const
        {
            return finished - firstSent;
        }

        /// @return FCT / ideal time, of a flow that has finished; NaN if the ideal time is not
        /// known
        double GetSlowdown() const;
    };

    /// @brief Flows whose numbers follow each other.
    using Records = std::array<Record, 256>;

    /// @brief Place of the records of a block of flows.
    struct Block
    {
        std::unique_ptr<Records> records{}; //!< null: in the file, or no flow of it is measured
        uint32_t present{0};                //!< measured flows that are not over
        bool inFile{false};                 //!< true if the records are in the file
    };

    /**
     * @param id number of a flow
     * @return its record, or null for a flow that is not measured
     */
    Record* Find(uint64_t id);

    /**
     * @brief Get a block to write to.
     * @param index number of the block
     * @return its records, in memory
     */
    Records& Load(uint64_t index);

    /**
     * @brief Put a block into the file, if all that can be said of its flows has been said.
     * @param index number of the block
     */
    void Store(uint64_t index);

    /**
     * @brief A measured flow is over.
     * @param id its number
     */
    void End(uint64_t id);

    /**
     * @brief Visit the measured flows.
     * @param visit called with the number and record of each, by number
     */
    void ForEach(const std::function<void(uint64_t, const Record&)>& visit) const;

    Time m_from; //!< flows that start before are not measured
    Time m_to;   //!< flows that start then or later are not measured

    std::vector<Block> m_blocks; //!< by number of their flows
    ScratchFile m_file;          //!< blocks of flows that are over
    uint64_t m_started{0};       //!< measured flows that started
    uint64_t m_finished{0};      //!< measured flows that finished
    uint64_t m_sizedStarted{0};  //!< those of a stated size that started
    uint64_t m_sizedFinished{0}; //!< and that finished
    uint64_t m_excluded{0};      //!< flows outside the window
};

} // namespace ns3

#endif /* FLOW_TABLE_H */
