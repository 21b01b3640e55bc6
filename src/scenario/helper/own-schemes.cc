/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "own-schemes.h"

#include <dlfcn.h>
#include <filesystem>
#include <iostream>
#include <set>
#include <system_error>

namespace ns3
{

void
LoadOwnSchemes()
{
    Dl_info here{};
    if (!dladdr(reinterpret_cast<const void*>(&LoadOwnSchemes), &here) || !here.dli_fname)
    {
        return;
    }
    const auto folder = std::filesystem::path(here.dli_fname).parent_path();
    std::set<std::filesystem::path> libraries; // in an order that does not depend on the disk
    std::error_code unreadable;
    for (const auto& entry : std::filesystem::directory_iterator(folder, unreadable))
    {
        const std::string name = entry.path().filename().string();
        if (name.starts_with("libsuite-own-") && name.ends_with(".so"))
        {
            libraries.insert(entry.path());
        }
    }
    for (const auto& library : libraries)
    {
        if (!dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL))
        {
            std::cerr << "not loaded, so its schemes are unknown: " << dlerror() << "\n";
        }
    }
}

} // namespace ns3
