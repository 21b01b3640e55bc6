/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOW_LOG_TEST_H
#define FLOW_LOG_TEST_H

#include "ns3/flow.h"
#include "ns3/simulator.h"

#include <map>
#include <vector>

namespace ns3
{

/**
 * @ingroup transport-tests
 * @brief Collects what observers are told.
 */
struct FlowLog : public FlowObserver
{
    void FlowStarted(const FlowRecord&) override
    {
        ++started;
    }

    void FlowDelivered(const FlowRecord& record, uint32_t bytes) override
    {
        delivered[record.id] += bytes;
    }

    void FlowFinished(const FlowRecord& record) override
    {
        finished.push_back(record);
        times.push_back(Simulator::Now());
    }

    uint32_t started{0};                  //!< flows started
    std::map<FlowId, uint64_t> delivered; //!< bytes by flow
    std::vector<FlowRecord> finished;     //!< flows finished, in that order
    std::vector<Time> times;              //!< times of those reports
};

} // namespace ns3

#endif // FLOW_LOG_TEST_H
