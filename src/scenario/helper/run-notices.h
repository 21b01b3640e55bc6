/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RUN_NOTICES_H
#define RUN_NOTICES_H

#include "flow-backlog.h"

#include "ns3/network.h"
#include "ns3/recorder.h"
#include "ns3/results.h"
#include "ns3/workload.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup scenario
 * Notices: lines that must be known before the numbers of a run are believed.
 */

namespace ns3
{

/**
 * @ingroup scenario
 * @brief Facts that notices are drawn from, once a run is over.
 */
struct RunFacts
{
    const Network& network;     //!< the network simulated
    const Results& results;     //!< the results
    const FlowBacklog& backlog; //!< bytes asked for and not delivered
    UnstartedFlows unstarted;   //!< flows asked for that did not start
};

/**
 * @ingroup scenario
 * @brief Look for what makes the numbers of a run other than they seem.
 *
 * Each kind of notice is a function of a table in run-notices.cc. None changes a number.
 *
 * @param run the facts of a run
 * @return a line each; of a run whose numbers are what they seem, none
 */
std::vector<std::string> FindNotices(const RunFacts& run);

} // namespace ns3

#endif /* RUN_NOTICES_H */
