/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "progress.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <sys/time.h>
#include <unistd.h>

namespace ns3
{

namespace
{

const char* g_path = nullptr; //!< path of the file to write; null: none
int64_t g_end = 0;            //!< expected end of the simulation, in steps

/**
 * @brief Writes a few characters in place of what was there. Safe in a handler of signals.
 * @param text the characters
 * @param length number of characters
 */
void
Replace(const char* text, std::size_t length)
{
    const int file = open(g_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file >= 0)
    {
        [[maybe_unused]] const auto written = write(file, text, length);
        close(file);
    }
}

/** @brief Writes the percentage; a carriage return puts it over the last one on a terminal. */
void
Report(int /* signal */)
{
    const int64_t now = Simulator::Now().GetTimeStep();
    // Past the expected end, flows may still be on their way.
    const auto percent = static_cast<char>(std::clamp<int64_t>(
        static_cast<int64_t>(100.0 * static_cast<double>(now) / static_cast<double>(g_end)),
        0,
        99));
    const std::array<char, 5> text = {'\r',
                                      static_cast<char>('0' + percent / 10),
                                      static_cast<char>('0' + percent % 10),
                                      ' ',
                                      '%'};
    Replace(text.data(), text.size());
}

/**
 * @brief Sets the timer.
 * @param seconds between signals; 0: none
 */
void
SetTimer(time_t seconds)
{
    const itimerval interval{{seconds, 0}, {seconds, 0}};
    setitimer(ITIMER_REAL, &interval, nullptr);
}

} // namespace

Progress::Progress(Time end)
{
    g_path = std::getenv("SUITE_PROGRESS");
    g_end = end.GetTimeStep();
    if (g_path == nullptr || g_end <= 0)
    {
        g_path = nullptr;
        return;
    }
    struct sigaction action = {};
    action.sa_handler = Report;
    action.sa_flags = SA_RESTART; // reads and writes go on as if nothing had been
    sigaction(SIGALRM, &action, nullptr);
    SetTimer(1);
}

Progress::~Progress()
{
    if (g_path != nullptr)
    {
        SetTimer(0);
        std::signal(SIGALRM, SIG_IGN); // one that is on its way
        constexpr std::array<char, 6> blank = {'\r', ' ', ' ', ' ', ' ', '\r'};
        Replace(blank.data(), blank.size());
    }
}

} // namespace ns3
