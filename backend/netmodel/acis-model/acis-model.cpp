// acis-model: the network models on the command line.
#include "backend/netmodel/Evaluate.h"
#include "backend/support/CommandLine.h"

#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>

using namespace acis;
using nlohmann::json;

namespace {

enum class Form { Table, Csv, Json };

struct Settings {
  std::string file;
  Form form = Form::Table;
  std::map<std::string, std::vector<double>> numbers; ///< by name, if given
  std::string network;
  bool gather = false;
};

int fail(const std::string &what) {
  std::cerr << "acis-model: error: " << what << "\n";
  return 1;
}

std::string optionOf(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name;
}

/// As short as it can be said: 0.44, 95900, 1e+15.
std::string print(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

void addOptions(CLI::App &app, const netmodel::ModelInfo &model, Settings &settings) {
  for (const std::string &name : model.lists)
    app.add_option(optionOf(name), settings.numbers[name], "one row for each of these")
        ->delimiter(',')
        ->group("Rows");
  if (model.name == "logcn") {
    app.add_option("--network", settings.network, "torus3d (default) or tree");
    app.add_flag("--gather", settings.gather, "a gather-type collective or Scatter");
  }
  for (const netmodel::Parameter &one : model.parameters)
    app.add_option(optionOf(one.name), settings.numbers[one.name],
                   one.source + (std::isfinite(one.value) ? "; default " + print(one.value) : ""))
        ->expected(1)
        ->group("Parameters");
  app.add_option("--parameters", settings.file,
                 "JSON object with any of these, as names with _; options on the command line "
                 "come before it");
  app.add_flag_callback("--csv", [&] { settings.form = Form::Csv; }, "rows as CSV");
  app.add_flag_callback("--json", [&] { settings.form = Form::Json; }, "rows as JSON");
}

Result<json> requestOf(const netmodel::ModelInfo &model, const Settings &settings) {
  json request = json::object();
  if (!settings.file.empty()) {
    std::ifstream file(settings.file);
    if (!file)
      return Error{settings.file, "cannot be read"};
    request = json::parse(file, nullptr, /*allow_exceptions=*/false);
    if (!request.is_object())
      return Error{settings.file, "is no JSON object of parameters"};
  }
  for (const auto &[name, values] : settings.numbers) {
    if (values.empty())
      continue;
    const bool isList =
        std::find(model.lists.begin(), model.lists.end(), name) != model.lists.end();
    request[name] = isList ? json(values) : json(values.front());
  }
  if (!settings.network.empty())
    request["network"] = settings.network;
  if (settings.gather)
    request["gather"] = true;
  return request;
}

std::string cell(const json &value) { return value.is_null() ? "" : print(value.get<double>()); }

void printRows(const netmodel::ModelInfo &model, const json &rows, Form form) {
  if (form == Form::Json) {
    std::cout << rows.dump(2) << "\n";
    return;
  }
  std::vector<std::vector<std::string>> lines = {model.columns};
  for (const json &row : rows) {
    std::vector<std::string> &line = lines.emplace_back();
    for (const std::string &column : model.columns)
      line.push_back(cell(row[column]));
  }
  for (const std::vector<std::string> &line : lines) {
    for (size_t i = 0; i < line.size(); ++i)
      if (form == Form::Csv)
        std::cout << (i ? "," : "") << line[i];
      else
        std::printf("%s%*s", i ? "  " : "", int(std::max<size_t>(model.columns[i].size(), 7)),
                    line[i].c_str());
    std::fflush(stdout);
    std::cout << "\n" << std::flush;
  }
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app(
      "Network models of the dissertation that ACiS follows, for any parameters: times of\n"
      "collectives among hosts and in switches, and sizes of switch buffers. Times are in\n"
      "microseconds; the name of each parameter ends with its unit.");
  app.set_version_flag("--version", "acis-model " ACIS_VERSION);
  app.require_subcommand(1);
  std::map<std::string, Settings> settings;
  for (const netmodel::ModelInfo &model : netmodel::models())
    addOptions(*app.add_subcommand(model.name, model.summary), model, settings[model.name]);
  if (const std::optional<int> ends = parseCommandLine(app, argc, argv, "acis-model"))
    return *ends;
  const std::string chosen = app.get_subcommands().front()->get_name();
  const netmodel::ModelInfo &model = *netmodel::findModel(chosen);
  Result<json> request = requestOf(model, settings[chosen]);
  if (!request)
    return fail(request.error().str());
  Result<json> rows = netmodel::evaluate(model, *request);
  if (!rows)
    return fail(rows.error().str());
  printRows(model, *rows, settings[chosen].form);
  return 0;
}
