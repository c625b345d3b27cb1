#include "runtime/host/acis-mpirun/Launch.h"

#include "runtime/host/acis-mpirun/Fabric.h"
#include "runtime/host/acis-mpirun/Hosts.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace acis::tools {

namespace fs = std::filesystem;

namespace {

/// The libraries that are loaded into the ranks before the MPI's: that for device buffers comes
/// first and gives collectives on to the other.
Status addLibraries(const MpirunOptions &options, const std::string &mpi, Variables &variables) {
  std::vector<std::string> names;
  if (options.device)
    names.push_back("device");
  if (!options.plain)
    names.push_back("mpi");
  std::string preload;
  for (const std::string &name : names) {
    const fs::path library = ownFolder() / ".." / "lib" / ("libacis-" + name + "-" + mpi + ".so");
    const std::string path = library.lexically_normal().string();
    std::error_code code;
    if (!fs::exists(library, code))
      return Error{path, "is not there: this build has no library for " + mpi +
                             (name == "device" ? " and OpenCL" : "")};
    preload += (preload.empty() ? "" : ":") + path;
  }
  if (preload.empty())
    return {};
  if (const char *before = std::getenv("LD_PRELOAD"))
    preload += std::string(":") + before;
  variables.emplace_back("LD_PRELOAD", preload);
  return {};
}

/// What the ranks shall have beyond the address.
void addSettings(const MpirunOptions &options, Variables &variables) {
  for (const auto &[name, value] : {std::pair("ACIS_WHY", &options.why),
                                    {"ACIS_TIMEOUT", &options.timeout},
                                    {"ACIS_PLACEMENT", &options.placement},
                                    {"ACIS_COSTS", &options.costs},
                                    {"ACIS_ALGORITHM", &options.algorithm}})
    if (!value->empty())
      variables.emplace_back(name, *value);
  std::string operators;
  for (const std::string &one : options.operators)
    operators += (operators.empty() ? "" : ",") + one;
  if (!operators.empty())
    variables.emplace_back("ACIS_OPERATORS", operators);
}

/// The hosts of --host or --hostfile; none: this machine, or what the job's own system says.
Result<std::vector<Host>> namedHosts(const MpirunOptions &options) {
  if (!options.host.empty()) {
    Result<std::vector<Host>> hosts = parseHosts(options.host);
    return hosts ? std::move(hosts) : Error{"--host", hosts.error().what};
  }
  if (options.hostFile.empty())
    return std::vector<Host>();
  std::ifstream file(options.hostFile);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf()))
    return Error{options.hostFile, "cannot be read"};
  Result<std::vector<Host>> hosts = parseHostFile(text.str());
  if (!hosts)
    return Error{options.hostFile + (hosts.error().where.empty() ? "" : ":") + hosts.error().where,
                 hosts.error().what};
  return hosts;
}

/// What the launcher is not to have itself: a library that is loaded before others.
constexpr const char *ForRanks = "LD_PRELOAD";

/// What the launcher is told before the program. All other variables are in its environment, which
/// it gives to the ranks: everybody may see what is in a command, as a key would be.
std::vector<std::string> forOpenMpi(const MpirunOptions &options, const std::vector<Host> &hosts,
                                    const Variables &variables) {
  std::vector<std::string> out = {"--oversubscribe"}; // ranks sleep while they wait for the switch
  if (geteuid() == 0)
    out.push_back("--allow-run-as-root");
  for (const auto &[name, value] : variables)
    out.insert(out.end(), {"-x", name == ForRanks ? name + "=" + value : name});
  if (!hosts.empty())
    out.insert(out.end(), {"-H", hostList(hosts)});
  if (!options.remoteShell.empty())
    out.insert(out.end(), {"--mca", "plm_rsh_agent", options.remoteShell});
  return out;
}

std::vector<std::string> forMpich(const MpirunOptions &options, const std::vector<Host> &hosts,
                                  const Variables &variables) {
  std::vector<std::string> out;
  for (const auto &[name, value] : variables)
    if (name == ForRanks)
      out.insert(out.end(), {"-genv", name, value});
  if (!hosts.empty())
    out.insert(out.end(), {"-hosts", hostList(hosts)});
  if (!options.remoteShell.empty())
    out.insert(out.end(), {"-launcher", "ssh", "-launcher-exec", options.remoteShell});
  return out;
}

/// The ranks have the environment of srun.
std::vector<std::string> forSrun(const Variables &variables) {
  std::string given = "ALL";
  for (const auto &[name, value] : variables)
    if (name == ForRanks)
      given += "," + name + "=" + value;
  return {"--export=" + given};
}

} // namespace

Result<Launch> makeLaunch(const MpirunOptions &options, const std::string &mpi,
                          Variables variables) {
  Result<std::vector<Host>> hosts = namedHosts(options);
  if (!hosts)
    return hosts.error();
  const bool bySrun = options.launcher == "srun";
  Launch launch{{bySrun ? "srun" : "mpiexec." + mpi}, std::move(variables)};
  if (!options.plain)
    addSettings(options, launch.variables);
  if (Status status = addLibraries(options, mpi, launch.variables); !status)
    return status.error();
  std::vector<std::string> &command = launch.command;
  for (const std::vector<std::string> &arguments :
       {bySrun             ? forSrun(launch.variables)
        : mpi == "openmpi" ? forOpenMpi(options, *hosts, launch.variables)
                           : forMpich(options, *hosts, launch.variables),
        options.launcherArguments,
        {"-n", std::to_string(options.ranks)},
        options.command})
    command.insert(command.end(), arguments.begin(), arguments.end());
  std::erase_if(launch.variables, [](const auto &item) { return item.first == ForRanks; });
  return launch;
}

} // namespace acis::tools
