/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "calculation.h"

#include <iostream>
#include <utility>

namespace ns3
{

Calculation::Calculation(std::string name, std::string summary)
    : m_name(name),
      m_options(std::move(name), std::move(summary))
{
    AddOption("out", "folder for CSV files and run.json; empty: none are written", m_out);
}

int
Calculation::Main(int argc, char* argv[], const std::function<void()>& body)
{
    return m_options.Run(argc, argv, [&] {
        m_manifest = std::make_unique<RunManifest>(m_name, "");
        m_options.EndCheck();
        body();
        GetOutputFolder(); // for run.json, if nothing else
        m_options.Record(*m_manifest);
        m_options.FinishOutput(*m_manifest);
    });
}

std::string
Calculation::GetOutputFolder()
{
    return m_options.PrepareOutput(m_out);
}

void
Calculation::Report(const std::string& name, double value)
{
    m_manifest->SetResult(name, value);
    std::cout << name << " = " << value << "\n";
}

} // namespace ns3
