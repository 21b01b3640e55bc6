/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BOUNCING_SELECTOR_H
#define BOUNCING_SELECTOR_H

#include "ns3/object.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup drb
 * @brief Spreads the packets of a server pair over the bouncing points.
 *
 * What it remembers of a pair is one number, which the pair's owner keeps (Section 6.1: "one
 * integer per pair"). So one selector serves all servers.
 */
class BouncingSelector : public Object
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    /**
     * @brief Say what there is to choose from; called once, before the first choice.
     * @param radices number of up-links per switch in each layer, from the racks up; the points are
     *        numbered as for ReverseDigits()
     */
    virtual void SetLayers(const std::vector<uint32_t>& radices) = 0;

    /**
     * @brief Choose the point for a pair's next packet.
     * @param turn the pair's state, a uniformly random number of a point before the first packet;
     *        updated
     * @param random the sending server's source of randomness
     * @return number of the point
     */
    virtual uint32_t Choose(uint16_t& turn, UniformRandomVariable& random) const = 0;
};

/**
 * @ingroup drb
 * @brief Visits the points in a fixed order, over and over.
 */
class CyclicBouncingSelector : public BouncingSelector
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    void SetLayers(const std::vector<uint32_t>& radices) override;
    uint32_t Choose(uint16_t& turn, UniformRandomVariable& random) const override;

  protected:
    /**
     * @brief The order.
     * @param turn number of the visit, below the number of points
     * @param radices the argument of SetLayers()
     * @return the point of that visit; each point has one turn
     */
    virtual uint32_t GetPoint(uint32_t turn, const std::vector<uint32_t>& radices) const = 0;

  private:
    std::vector<uint16_t> m_order; //!< point of each turn
};

/**
 * @ingroup drb
 * @brief Digit-Reversal Bouncing: see ReverseDigits().
 */
class DigitReversalBouncingSelector : public CyclicBouncingSelector
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

  protected:
    uint32_t GetPoint(uint32_t turn, const std::vector<uint32_t>& radices) const override;
};

/**
 * @ingroup drb
 * @brief Round-Robin Bouncing (RRB, Section 3.1.2): the points in the order of their numbers, so
 * that as many packets in a row take the same first up-link as there are points behind it.
 */
class RoundRobinBouncingSelector : public CyclicBouncingSelector
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

  protected:
    uint32_t GetPoint(uint32_t turn, const std::vector<uint32_t>& radices) const override;
};

/**
 * @ingroup drb
 * @brief Random Bouncing (RB, Section 3.1.2): each packet's point is drawn uniformly.
 */
class RandomBouncingSelector : public BouncingSelector
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    void SetLayers(const std::vector<uint32_t>& radices) override;
    uint32_t Choose(uint16_t& turn, UniformRandomVariable& random) const override;

  private:
    uint32_t m_last{0}; //!< the point with the highest number
};

} // namespace ns3

#endif /* BOUNCING_SELECTOR_H */
