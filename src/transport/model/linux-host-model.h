/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_HOST_MODEL_H
#define LINUX_HOST_MODEL_H

#include "host-model.h"

#include "ns3/nstime.h"

namespace ns3
{

/**
 * @ingroup transport
 * @brief Hosts as a Linux kernel of some age makes them: segmentation offload, TCP small queues,
 * interrupt coalescing with generic receive offload. TCP's own settings (initial window, least RTO,
 * delayed acknowledgments) are the transport's.
 */
class LinuxHostModel : public HostModel
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetSummary() const override;
    void Configure(Ptr<Transport> transport) const override;

    /// @brief Kernels at which one of the mechanisms changed.
    enum Kernel
    {
        LINUX_2_6_38, //!< full bursts, nothing limits what is in the port
        LINUX_3_6,    //!< the same with small queues of a fixed size
        LINUX_4_0,    //!< bursts and small queues by the pacing rate
    };

  private:
    void ConfigureTcp(Ptr<Transport> transport) const;

    Kernel m_kernel;             //!< attribute Kernel
    int64_t m_smallQueue;        //!< attribute SmallQueue
    uint32_t m_burstSize;        //!< attribute BurstSize
    uint32_t m_burstWindowShare; //!< attribute BurstWindowShare
    Time m_autosizing;           //!< attribute Autosizing
    Time m_coalesceTime;         //!< attribute CoalesceTime
    uint32_t m_coalesceSize;     //!< attribute CoalesceSize
    uint32_t m_sendBuffer;       //!< attribute SendBuffer
};

} // namespace ns3

#endif /* LINUX_HOST_MODEL_H */
