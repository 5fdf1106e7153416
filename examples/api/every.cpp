// Calls each function of holonom.h once, in C++ style: a class owns a simulation, errors are exceptions,
// arrays are vectors. Eight replicas of two waters get different temperatures, a ladder by hand.
#include <holonom.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{

const char input[] = "system: {model: tip3p, molecules: 2, anneal: false}\n"
                     "geometry: {method: settle}\n"
                     "integrator: {word: BAOAB, timestep: 1 fs, time: 0.2 ps}\n"
                     "thermostat: {type: langevin, temperature: 100, friction: 5 1/ps}\n"
                     "output: {multipliers_every: 1}\n"
                     "parameters: {k: 0.1}\n"
                     "ensemble: {replicas: 8}\n";

using Numbers = std::vector<double>;

class Simulation
{
public:
  explicit Simulation(const std::string &text)
  {
    check(hol_open_text(&s, "input", text.c_str(), nullptr, 0, &e));
  }
  Simulation(const std::string &file, const char *change)
  {
    check(hol_open(&s, file.c_str(), &change, 1, &e));
  }
  Simulation(const Simulation &) = delete;
  Simulation &operator=(const Simulation &) = delete;
  ~Simulation() { hol_close(s); }

  operator hol_simulation *() const { return s; }
  void check(hol_status status) const
  {
    if (status != HOL_OK)
      throw std::runtime_error(e.message);
  }
  size_t replicas() const { return static_cast<size_t>(hol_replicas(s)); }
  Numbers get(hol_field field)
  {
    Numbers x(replicas() * static_cast<size_t>(hol_sites(s) * hol_dimensions(s)));
    check(hol_get(s, field, HOL_ALL, x.data(), &e));
    return x;
  }
  void set(hol_field field, const Numbers &x) { check(hol_set(s, field, HOL_ALL, x.data(), &e)); }
  std::vector<char> save()
  {
    size_t size = 0;
    check(hol_save_memory(s, nullptr, 0, &size, &e));
    std::vector<char> memory(size);
    check(hol_save_memory(s, memory.data(), size, &size, &e));
    return memory;
  }
  mutable hol_error e;

private:
  hol_simulation *s = nullptr;
};

// Pulls each oxygen to the origin; replicas need not wait for each other. The constant is a parameter.
hol_status trap(void *, hol_force_call *call, hol_error *)
{
  for (int i = 0; i < call->replicas * call->sites; i += 3)
    for (int d = 0; d < 3; d++) {
      const double k = call->parameter[call->parameters * (i / call->sites)];
      call->f[3 * i + d] = -k * call->x[3 * i + d];
      call->energy[i / call->sites] += 0.5 * k * call->x[3 * i + d] * call->x[3 * i + d];
      call->slope[call->parameters * (i / call->sites)] += 0.5 * call->x[3 * i + d] * call->x[3 * i + d];
    }
  return HOL_OK;
}

hol_status stop_at(void *user, hol_simulation *s, hol_error *)
{
  if (hol_steps_done(s) == *static_cast<const int64_t *>(user))
    hol_stop(s);
  return HOL_OK;
}

void keep(void *user, const char *line) { static_cast<std::vector<std::string> *>(user)->push_back(line); }

void describe(Simulation &s)
{
  hol_topology t;
  t.size = sizeof t;
  s.check(hol_get_topology(s, &t, &s.e));
  std::cout << "holonom " << hol_version() << ": a " << hol_sort(s) << " of " << hol_molecules(s) << " "
            << t.kind_name[t.kind[0]] << ", " << hol_freedom(s) << " degrees of freedom, "
            << hol_constraints(s) << " constraints, " << t.bonds << " bonds\n";
  // TIP3P has no virtual sites: these calls have nothing to place or spread.
  hol_virtual_sites v;
  v.size = sizeof v;
  s.check(hol_get_virtual_sites(s, &v, &s.e));
  Numbers x = s.get(HOL_POSITIONS), at(static_cast<size_t>(3 * v.sites) + 1), f(x.size());
  s.check(hol_place_sites(s, x.data(), at.data(), &s.e));
  s.check(hol_spread_sites(s, x.data(), at.data(), f.data(), &s.e));
}

// Sets replica r to 100 + 10 r K and draws its momenta.
void warm(Simulation &s)
{
  Numbers kelvin(s.replicas()), box(9 * s.replicas());
  s.check(hol_get_temperature(s, HOL_ALL, kelvin.data(), &s.e));
  for (size_t r = 0; r < kelvin.size(); r++)
    kelvin[r] += 10.0 * static_cast<double>(r);
  s.check(hol_set_temperature(s, HOL_ALL, kelvin.data(), &s.e));
  s.check(hol_draw(s, HOL_ALL, &s.e));
  s.check(hol_get_box(s, HOL_ALL, box.data(), &s.e));
  if (hol_set_box(s, HOL_ALL, box.data(), &s.e) == HOL_INPUT)
    std::cout << "a cluster: " << s.e.message << "\n";
}

// Makes the trap of replica r 1 + r times as stiff; computes energies of all replicas at two values.
void stiffen(Simulation &s)
{
  const int k = hol_parameter_find(s, "k");
  Numbers own(s.replicas()), energy(2 * s.replicas()), slope(s.replicas());
  s.check(hol_parameter_get(s, k, HOL_ALL, own.data(), &s.e));
  for (size_t r = 0; r < own.size(); r++)
    own[r] *= 1.0 + static_cast<double>(r);
  s.check(hol_parameter_set(s, k, HOL_ALL, own.data(), &s.e));
  const double values[] = {0.1, 0.2};
  s.check(hol_parameter_energies(s, HOL_ALL, 2, values, energy.data(), slope.data(), &s.e));
  std::cout << hol_parameters(s) << " parameter, " << hol_parameter_name(s, k) << " ("
            << hol_parameter_unit(s, k) << "): from 0.1 to 0.2 the energy grows by " << energy[1] - energy[0]
            << " kcal/mol, its slope times 0.1 is " << 0.1 * slope[0] << "\n";
}

void look(Simulation &s)
{
  const int n = hol_columns(s), column = hol_column(s, "temperature");
  Numbers value(s.replicas() * static_cast<size_t>(n)),
      lambda(s.replicas() * static_cast<size_t>(hol_constraints(s)));
  s.check(hol_look(s, HOL_ALL, value.data(), &s.e));
  s.check(hol_multipliers(s, HOL_ALL, lambda.data(), &s.e));
  double sum = 0.0;
  for (size_t r = 0; r < s.replicas(); r++)
    sum += value[r * static_cast<size_t>(n) + static_cast<size_t>(column)];
  std::cout << hol_column_name(s, column) << " after " << hol_time(s) * HOL_AKMA_FS
            << " fs: " << sum / static_cast<double>(s.replicas()) << " " << hol_column_unit(s, column) << "; "
            << std::count_if(lambda.begin(), lambda.end(), [](double l) { return l != 0.0; })
            << " multipliers\n";
}

void all()
{
  int64_t end = 30;
  Simulation s(input);
  s.check(hol_add_force(s, trap, nullptr, HOL_THREADS, &s.e));
  s.check(hol_add_observer(s, 10, stop_at, &end, &s.e));
  s.check(hol_start(s, &s.e));
  describe(s);
  const std::vector<char> kept = s.save();
  warm(s);
  Numbers x = s.get(HOL_POSITIONS);
  for (double &c : x)
    c = std::round(1e4 * c) * 1e-4;
  s.set(HOL_POSITIONS, x);
  s.check(hol_project(s, HOL_ALL, &s.e));
  Numbers energy(s.replicas()), f(x.size());
  s.check(hol_evaluate(s, HOL_ALL, x.data(), energy.data(), f.data(), nullptr, &s.e));
  std::vector<int> place(2 * s.replicas());
  if (hol_get_ladder(s, HOL_ALL, place.data(), &s.e) == HOL_INPUT)
    std::cout << "no ladder: " << s.e.message << "\n";
  stiffen(s);
  s.check(hol_step(s, 1000, &s.e)); // the observer stops at step 30
  look(s);
  s.check(hol_load_memory(s, kept.data(), kept.size(), &s.e));
  s.check(hol_save(s, "every.hol", &s.e));
  s.check(hol_load(s, "every.hol", &s.e));

  // Continues without the force and the observer, with half the time step and twice the friction.
  s.check(hol_remove_force(s, trap, nullptr, &s.e));
  s.check(hol_remove_observer(s, stop_at, &end, &s.e));
  s.check(hol_observe(s, 10, stop_at, &end, &s.e)); // the old name of hol_add_observer
  s.check(hol_remove_observer(s, stop_at, &end, &s.e));
  s.check(hol_set_timestep(s, 0.5 * hol_timestep(s), &s.e));
  s.check(hol_set_friction(s, 2.0 * hol_friction(s), &s.e));
  s.check(hol_step(s, 20, &s.e));

  std::ofstream("every.yaml") << input;
  std::vector<std::string> lines;
  Simulation run("every.yaml", "integrator.time=0.1 ps");
  run.check(hol_listen(run, keep, &lines, &run.e));
  run.check(hol_run(run, "every.run", HOL_FORCE, &run.e));
  char *keys = nullptr;
  run.check(hol_keys(&keys, &run.e));
  const std::unique_ptr<char, void (*)(void *)> owner(keys, hol_free);
  char *waters = nullptr;
  run.check(hol_waters(&waters, &run.e));
  const std::unique_ptr<char, void (*)(void *)> models(waters, hol_free);
  std::cout << (lines.empty() ? "no word" : "words") << " of the run, "
            << (std::string(keys).size() > 1000 ? "many" : "no") << " keys; totals are in "
            << hol_table_unit("thermo", "total") << "\n";
}

} // namespace

int main()
{
  try {
    all();
  } catch (const std::exception &wrong) {
    std::cerr << wrong.what() << "\n";
    return 1;
  }
}
