/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SHARED_BUFFER_H
#define SHARED_BUFFER_H

#include "ns3/object.h"

namespace ns3
{

/**
 * @ingroup fabric
 * @brief Packet memory that several ports of a switch share.
 *
 * Dynamic threshold (Choudhury and Hahne, IEEE/ACM Transactions on Networking 6(2), 1998): a queue
 * may hold at most Alpha times the memory that is still free.
 */
class SharedBuffer : public Object
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    /**
     * @brief Reserve memory for an arriving packet.
     * @param size the packet in bytes
     * @param queued bytes that its queue holds already
     * @return false if the packet must be dropped
     */
    bool Reserve(uint32_t size, uint32_t queued);

    /**
     * @brief Give memory back.
     * @param size the packet in bytes
     */
    void Free(uint32_t size);

    /// @brief Memory in use (bytes).
    uint64_t GetUsed() const;

  private:
    uint64_t m_size;    //!< memory in bytes
    double m_alpha;     //!< share of the free memory that one queue may take
    uint64_t m_used{0}; //!< memory in use in bytes
};

} // namespace ns3

#endif /* SHARED_BUFFER_H */
