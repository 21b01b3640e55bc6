/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOST_MODEL_H
#define HOST_MODEL_H

#include "ns3/json-object.h"
#include "ns3/object.h"
#include "ns3/spec.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup transport
 * @brief The hosts of a run, the same for all schemes that are compared: the queue of a host's own
 * port, what a flow may have in it, first windows and timeouts, offload.
 *
 * Host models are data: rows (SpecRows) of this class. Each attribute is a text, and empty where
 * the model leaves it to the transport or the scheme. Those that are named as attributes of
 * transports are defaults of these. What is written for a transport goes before them, and so does
 * what a scheme needs; each such departure from the model is told (GetDeviations()), and refused
 * where the user wrote the attribute behind the model's name.
 */
class HostModel : public Object
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    /**
     * @brief Make a host model.
     * @param spec names a row, with attributes: "small-queues:MinRto=10ms"
     * @return the model
     * @throws InputError if there is no such model
     */
    static Ptr<HostModel> Create(const Spec& spec);

    /// @brief Say in a line what the model is: what rows say themselves, and what the user changed.
    std::string GetSummary() const;

    /**
     * @brief The defaults of a transport in such hosts.
     * @param argument the option that the user set, for errors
     * @param spec the transport, with what is written for it
     * @return values by attribute of the transport
     * @throws InputError if a value is wrong, or the user wants what the transport does not have
     */
    std::map<std::string, std::string> GetTransportDefaults(const std::string& argument,
                                                            const Spec& spec);

    /**
     * @brief Refuse what the user wants of transports and none of them has.
     * @throws InputError if GetTransportDefaults() has not given an attribute to any
     */
    void CheckTaken() const;

    /**
     * @brief The model as settings.
     * @return its name, and what it says: typed, in SI units (see AddSetting())
     */
    JsonObject GetSettings() const;

    /// @brief The discipline of a host's own port; empty: the scheme's.
    const Spec& GetQueue() const
    {
        return m_queue;
    }

    /// @brief Above what a host's own port marks; empty: as the scheme says.
    const std::string& GetMark() const
    {
        return m_mark;
    }

    /// @brief Most that waits in a host's own port; empty: as the scheme says.
    const std::string& GetBuffer() const
    {
        return m_buffer;
    }

    /**
     * @brief Note that a host departs from the model.
     * @param who has it otherwise
     * @param attribute of the model that does not hold
     * @param why it does not
     * @throws InputError if the user wrote the attribute
     */
    void Depart(const std::string& who, const std::string& attribute, const std::string& why);

    /**
     * @brief Deviations of hosts from the model.
     * @return a line each
     */
    std::vector<std::string> GetDeviations() const;

  private:
    /**
     * @brief Read an attribute as text.
     * @param attribute its name
     * @return its value; empty: the model leaves it open
     */
    std::string GetText(const std::string& attribute) const;

    Spec m_spec;                   //!< by which it was made
    std::set<std::string> m_taken; //!< attributes that a transport has

    std::string m_backlog;          //!< attribute Backlog
    std::string m_smallQueueTime;   //!< attribute SmallQueueTime
    std::string m_sendBuffer;       //!< attribute SendBuffer
    Spec m_queue;                   //!< attribute Queue
    std::string m_mark;             //!< attribute Mark
    std::string m_buffer;           //!< attribute Buffer
    std::string m_initialCwnd;      //!< attribute InitialCwnd
    std::string m_minRto;           //!< attribute MinRto
    std::string m_initialRto;       //!< attribute InitialRto
    std::string m_handshake;        //!< attribute Handshake
    std::string m_persistence;      //!< attribute Persistence
    std::string m_burstSize;        //!< attribute BurstSize
    std::string m_burstTime;        //!< attribute BurstTime
    std::string m_burstWindowShare; //!< attribute BurstWindowShare
    std::string m_coalesceTime;     //!< attribute CoalesceTime
    std::string m_coalesceSize;     //!< attribute CoalesceSize

    /// Attributes that do not hold, by who has them otherwise and why.
    std::map<std::pair<std::string, std::string>, std::string> m_deviations;
};

} // namespace ns3

#endif /* HOST_MODEL_H */
