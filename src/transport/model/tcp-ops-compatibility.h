/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TCP_OPS_COMPATIBILITY_H
#define TCP_OPS_COMPATIBILITY_H

#include "ns3/object-factory.h"
#include "ns3/tcp-rate-ops.h"
#include "ns3/tcp-recovery-ops.h"
#include "ns3/tcp-socket-state.h"

#include <cstdint>

namespace ns3
{

// What ns-3 changed since 3.42 in the objects that lean TCP drives, seen by their members. The
// functions are templates because only a template may ask whether a member exists.

/**
 * @ingroup lean-tcp
 * @brief Smoothed RTT, which ns-3 3.42 keeps under the name of the last one.
 * @tparam State TcpSocketState
 * @param state of a connection
 * @return the traced value
 */
template <typename State>
auto&
SmoothedRtt(State& state)
{
    if constexpr (requires { state.m_srtt; })
    {
        return state.m_srtt;
    }
    else
    {
        return state.m_lastRtt;
    }
}

/**
 * @ingroup lean-tcp
 * @brief Set the RTT of the segment acknowledged last, where ns-3 keeps it.
 * @tparam State TcpSocketState
 * @param state of a connection
 * @param rtt the sample
 */
template <typename State>
void
SetLastRtt(State& state, Time rtt)
{
    if constexpr (requires { state.m_srtt; })
    {
        state.m_lastRtt.Set(rtt);
    }
}

/**
 * @ingroup lean-tcp
 * @brief Say whether acknowledgments are selective, which the recovery of ns-3 3.48 asks.
 * @tparam State TcpSocketState
 * @param state of a connection
 * @param sack true if they are
 */
template <typename State>
void
SetSackEnabled(State& state, bool sack)
{
    if constexpr (requires { state.m_sackEnabled; })
    {
        state.m_sackEnabled = sack;
    }
}

/**
 * @ingroup lean-tcp
 * @brief Let the window move during recovery; ns-3 3.42 does not ask whether for a duplicate.
 * @tparam Ops TcpRecoveryOps
 * @param ops the recovery that moves it
 * @param state of the connection
 * @param delivered bytes that the acknowledgment brought
 * @param duplicate true for a duplicate acknowledgment
 */
template <typename Ops>
void
DoRecovery(Ops& ops, Ptr<TcpSocketState> state, uint32_t delivered, bool duplicate)
{
    if constexpr (requires { ops.DoRecovery(state, delivered, duplicate); })
    {
        ops.DoRecovery(state, delivered, duplicate);
    }
    else
    {
        ops.DoRecovery(state, delivered);
    }
}

/**
 * @ingroup lean-tcp
 * @brief Begin recovery; ns-3 3.48 also asks how much was acknowledged selectively.
 * @tparam Ops TcpRecoveryOps
 * @param ops the recovery that moves the window
 * @param state of the connection
 * @param duplicates duplicate acknowledgments so far
 * @param outstanding bytes sent and not acknowledged
 * @param delivered bytes that the acknowledgment brought
 * @param sacked bytes acknowledged selectively so far
 */
template <typename Ops>
void
StartRecovery(Ops& ops,
              Ptr<TcpSocketState> state,
              uint32_t duplicates,
              uint32_t outstanding,
              uint32_t delivered,
              uint32_t sacked)
{
    if constexpr (requires {
                      ops.EnterRecovery(state, duplicates, outstanding, delivered, sacked);
                  })
    {
        ops.EnterRecovery(state, duplicates, outstanding, delivered, sacked);
    }
    else
    {
        ops.EnterRecovery(state, duplicates, outstanding, delivered);
    }
}

/**
 * @ingroup lean-tcp
 * @brief Give a congestion control what it tells of the rate, from ns-3 3.45 on.
 * @tparam Ops TcpCongestionOps
 * @param ops the congestion control
 * @param rate takes it
 */
template <typename Ops>
void
SetRateOps(Ops& ops, Ptr<TcpRateOps> rate)
{
    if constexpr (requires { ops.SetRateOps(rate); })
    {
        ops.SetRateOps(rate);
    }
}

/**
 * @ingroup lean-tcp
 * @brief Make an object of a class that the user named. What its TypeId says of its parents does
 * not count: in ns-3 3.42 TcpCubic's is TcpSocketBase.
 * @tparam T type of the object
 * @param tid the class
 * @return the object, or nullptr if it is none
 */
template <typename T>
Ptr<T>
CreateOps(TypeId tid)
{
    if (!tid.HasConstructor() || !tid.IsChildOf(Object::GetTypeId()))
    {
        return nullptr;
    }
    ObjectFactory factory;
    factory.SetTypeId(tid);
    return DynamicCast<T>(factory.Create());
}

} // namespace ns3

#endif /* TCP_OPS_COMPATIBILITY_H */
