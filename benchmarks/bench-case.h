/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BENCH_CASE_H
#define BENCH_CASE_H

#include "ns3/fabric.h"
#include "ns3/flow.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

inline constexpr uint32_t WINDOW = 16;         //!< packets under way per flow
inline constexpr uint32_t PAYLOAD = 1460;      //!< bytes of a data packet of 1500 bytes
inline constexpr uint32_t ACKNOWLEDGMENT = 64; //!< bytes of an acknowledgment
inline constexpr uint32_t HEADERS = 28;        //!< IPv4 and UDP
inline constexpr const char* FIXED_WINDOW = "fixed-window:Window=16,AcknowledgmentSize=64";
inline constexpr const char* RATE = "10Gbps"; //!< of every link
inline constexpr const char* DELAY = "1us";   //!< of every link
inline constexpr const char* BUFFER = "6MB";  //!< of every port: no packet is lost

/// @brief Cost of a run of a case. Plain data: it crosses a pipe.
struct Measurement
{
    double seconds{0};       //!< processor time of Simulator::Run()
    double hops{0};          //!< packets times links
    double events{0};        //!< events
    double bytesPerPort{0};  //!< memory that building the network took, per port
    double peakMegabytes{0}; //!< of the whole process
};

/// @brief Rate that a case must reach, relative to a baseline.
struct Requirement
{
    std::string baseline; //!< name of the case
    double ratio;         //!< times its rate that must be reached
};

/// @brief Something to measure.
struct Case
{
    std::string name;                      //!< as in the table
    std::function<Measurement()> run;      //!< one repetition
    std::vector<Requirement> requirements; //!< none: a baseline
    double memoryLimit{0};                 //!< most peak memory in MB; 0: none
    double timeLimit{0};                   //!< most ns per packet; 0: none
};

/// @brief Amount of work of each case, as the user asks for.
class Scale
{
  public:
    /**
     * @param factor of the traffic of each case
     */
    explicit Scale(double factor)
        : m_factor(factor)
    {
    }

    /**
     * @brief Packets of a case.
     * @param count at factor 1
     * @return their number, at least 20
     */
    uint32_t Packets(uint32_t count) const;

    /**
     * @brief Simulated time of a case.
     * @param microseconds at factor 1
     * @return the time, at least 200 us
     */
    Time Duration(double microseconds) const;

  private:
    double m_factor; //!< of the traffic of each case
};

/**
 * @brief Permutation without chance: host i sends to the one half the hosts and 7 further on.
 * @param source number of a host
 * @param hosts number of hosts
 * @return number of the host that it sends to
 */
uint32_t GetDestination(uint32_t source, uint32_t hosts);

/// @brief Processor time of this process so far, in seconds.
double GetProcessorSeconds();

/// @brief Memory that is allocated now, in bytes.
std::size_t GetAllocatedBytes();

/**
 * @brief Run the simulation.
 * @param measurement gets time and events
 */
void RunSimulation(Measurement& measurement);

/**
 * @brief Run the simulation for a time, and count what crosses ports.
 * @param fabric the network
 * @param duration simulated
 * @return its cost
 */
Measurement RunFor(Fabric& fabric, Time duration);

/// @brief Ends the simulation with the last flow.
class LastFlow : public FlowObserver
{
  public:
    explicit LastFlow(uint32_t flows)
        : m_left(flows)
    {
    }

    void FlowFinished(const FlowRecord& /* record */) override
    {
        if (--m_left == 0)
        {
            Simulator::Stop();
        }
    }

  private:
    uint32_t m_left;
};

// ---- The cases, a file per subject. A baseline stands before what is compared with it. ----

/// @brief Name of the baseline: stock ns-3 with UDP.
inline const std::string STOCK_UDP = "stock ns-3, UDP, nix-vector, FifoQueueDisc";

/// @brief Name of the baseline: stock ns-3 with DCTCP.
inline const std::string STOCK_DCTCP = "stock ns-3, DCTCP, nix-vector, RED";

/**
 * @brief Stock ns-3.
 * @param scale amount of work of each case
 * @return the cases
 */
std::vector<Case> GetStockCases(const Scale& scale);

/**
 * @brief The fabric with its transports and schemes.
 * @param scale amount of work of each case
 * @return the cases
 */
std::vector<Case> GetFabricCases(const Scale& scale);

/**
 * @brief Disciplines alone and in the fabric.
 * @param scale amount of work of each case
 * @return the cases
 */
std::vector<Case> GetDisciplineCases(const Scale& scale);

/**
 * @brief Meters: what a port does with a packet of a class that has a limit.
 * @param scale amount of work of each case
 * @return the cases
 */
std::vector<Case> GetMeterCases(const Scale& scale);

/**
 * @brief Computing rates for all classes of a network (Nimble, Algorithm 2).
 * @param scale amount of work of each case
 * @return the cases
 */
std::vector<Case> GetAllocationCases(const Scale& scale);

/**
 * @brief Work of a server under DRB (Sections 4.2 and 6.1) for a packet that leaves its rack.
 * @param scale amount of work of each case
 * @return the cases
 */
std::vector<Case> GetBouncingCases(const Scale& scale);

/**
 * @brief Cost of a shim under every VM pair (Trinity).
 * @param scale amount of work of each case
 * @return the cases
 */
std::vector<Case> GetShimCases(const Scale& scale);

/**
 * @brief Cost of uFAB's edge and core beside DCTCP hosts, and 512 servers of its paper.
 * @param scale amount of work of each case
 * @return the cases
 */
std::vector<Case> GetMufabCases(const Scale& scale);

} // namespace ns3

#endif /* BENCH_CASE_H */
