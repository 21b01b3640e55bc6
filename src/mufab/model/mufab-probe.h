/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MUFAB_PROBE_H
#define MUFAB_PROBE_H

#include "link-state.h"

#include "ns3/fabric-item.h"
#include "ns3/probe-header.h"

#include <array>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup mufab
 * @brief A probe on its way, or its response: what makes an item of class CONTROL one.
 *
 * On the wire it is a ProbeHeader. Here nothing is rounded unless units are given, and there is
 * what a simulator needs to know whose probe it is. The same object travels there and back.
 */
class MufabProbe : public ItemExtension
{
  public:
    /// @brief Values that a switch and the pair tell each other.
    struct Hop
    {
        double window{0};    //!< w of the pair at this link, in bytes
        double confirmed{0}; //!< the same as of the last response
        LinkState link;      //!< state that the switch wrote
    };

    /**
     * @brief The probe that an item is.
     * @param item the item
     * @return the probe; nullptr if the item is none
     */
    static MufabProbe* Find(const FabricItem& item)
    {
        return item.GetClass() == FabricItem::CONTROL && item.extension
                   ? dynamic_cast<MufabProbe*>(item.extension)
                   : nullptr;
    }

    /**
     * @brief Key by which a switch knows a pair on a path. The path belongs to it, so that a pair
     * that moves to another port of the same switch is another there.
     * @return a key
     */
    uint64_t GetKey() const
    {
        return uint64_t{path} << 32 | pair;
    }

    /**
     * @brief A switch writes what it knows of its link.
     * @param link state of the link
     * @return false if there is no room for it
     */
    bool Push(const LinkState& link)
    {
        if (hops >= room)
        {
            return false;
        }
        records[hops++].link = units ? link.Round(*units) : link;
        return true;
    }

    /**
     * @brief The probe on the wire.
     * @param units of the fields
     * @return the header
     */
    ProbeHeader MakeHeader(const IntUnits& units) const;

    /**
     * @brief Memory comes from a pool.
     * @param size of the object
     * @return the memory
     */
    static void* operator new(std::size_t size);

    /**
     * @brief Memory goes back to the pool.
     * @param memory of the object
     */
    static void operator delete(void* memory);

    ProbeHeader::Type type{ProbeHeader::PROBE};    //!< type on the wire
    ProbeHeader::Type request{ProbeHeader::PROBE}; //!< type when it left its sender
    uint8_t hops{0};                               //!< switches that have written
    uint8_t room{0};                               //!< switches of the path that write
    uint16_t path{0};                              //!< number of the path (PathTable)
    uint32_t pair{0};                              //!< number of the pair
    uint32_t sequence{0};                          //!< of the pair's probes on this path, from 1
    uint32_t version{0};          //!< of what it tells of the pair; a probe sent again has the same
    uint32_t confirmedVersion{0}; //!< of the last response
    double tokens{0};             //!< phi that switches add; in a response: phi_D
    double confirmedTokens{0};    //!< the same as of the last response
    double demand{0};             //!< phi_S, for the receiver; 0: the pair has left
    uint64_t sentBytes{0};        //!< data that left over the path before the probe
    uint64_t receivedBytes{0};    //!< in a response: what of them has come, since nothing overtakes
    int64_t sentAt{0};            //!< departure from its sender, in time steps
    const uint16_t* back{nullptr};  //!< source route of the response; the path table's
    const IntUnits* units{nullptr}; //!< units that switches round to; nullptr: nothing is rounded

    std::array<Hop, ProbeHeader::MAX_HOPS> records; //!< by switch
};

/**
 * @ingroup mufab
 * @brief Answer of a receiver to each packet of data: bytes received over a path so far. It travels
 * in FabricItem::transport.
 */
struct PathAcknowledgment
{
    uint32_t pair;  //!< number of the pair
    uint16_t path;  //!< number of the path
    uint64_t bytes; //!< received over the path so far
};

} // namespace ns3

#endif /* MUFAB_PROBE_H */
