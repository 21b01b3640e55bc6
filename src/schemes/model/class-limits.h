/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CLASS_LIMITS_H
#define CLASS_LIMITS_H

#include "ns3/data-rate.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3
{

/**
 * @ingroup schemes
 * @brief The interface of a scheme that limits traffic classes, for the timeline's `rate class=NAME
 * limit=RATE`. Such a scheme derives from this as well.
 */
class ClassLimits
{
  public:
    virtual ~ClassLimits() = default;

    /**
     * @brief Find a class. The network is built.
     * @param name as the user wrote it
     * @return its number; nothing if there is none
     */
    virtual std::optional<uint32_t> FindClass(const std::string& name) const = 0;

    /**
     * @brief Change the limit of a class, now.
     * @param number of the class
     * @param limit most that it may send over a link; 0: as much as it likes
     */
    virtual void SetClassLimit(uint32_t number, DataRate limit) = 0;
};

} // namespace ns3

#endif /* CLASS_LIMITS_H */
