/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BENCH_FABRIC_H
#define BENCH_FABRIC_H

#include "bench-case.h"

#include "ns3/fabric-queue-disc.h"

#include <string>

namespace ns3
{

/// @brief Parameters of a case on the fabric; the defaults are those of the plain one.
struct FabricCase
{
    uint32_t k{8};                                       //!< of the fat-tree
    uint32_t packets{2000};                              //!< per flow; 0: without end
    std::string queueDisc{"ns3::DropTailQueueDisc"};     //!< TypeId
    std::string transport{FIXED_WINDOW};                 //!< specification
    std::string paths{"ns3::SprayPathSelector"};         //!< TypeId
    std::string kernel{"ns3::TimingWheelSimulatorImpl"}; //!< TypeId
    Time duration{};                                     //!< 0: until all flows are over
    bool hugePages{true};                                //!< GlobalValue HugePages
    uint32_t pairs{0};                                   //!< VM pairs, a flow each, per host
    bool oneWay{false};   //!< true if only the first half of the hosts sends, to the other
    uint32_t stages{0};   //!< ports with a stage that does nothing
    std::string scheme{}; //!< specification; in place of queueDisc, transport and paths
};

/**
 * @brief Make a discipline that loses nothing.
 * @param type its TypeId; a stock one is adapted
 * @return the discipline
 */
Ptr<FabricQueueDisc> CreateQueueDisc(const std::string& type);

/**
 * @brief Every host of a fat-tree sends to another.
 * @param parameters parameters of the case
 * @return its cost
 */
Measurement RunFabric(const FabricCase& parameters);

} // namespace ns3

#endif /* BENCH_FABRIC_H */
