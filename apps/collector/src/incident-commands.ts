import { DECLARED_IMPACTS } from '@vitrine/collector';
import { DECLARED_STATES } from '@vitrine/core';
import { Option, type Command } from 'commander';
import { repeated, timeOf, type Add, type CommandContext, type Run } from './context.js';
import {
  listIncidents,
  openIncident,
  planMaintenance,
  resolveIncident,
  updateIncident,
  type NewIncidentOptions,
  type NewMaintenanceOptions,
} from './commands/incident.js';

const ANYWAY = 'accept keys of services that the configuration does not have';
const MESSAGE = 'what to tell people, as Markdown';

export function addIncidentCommands(add: Add, context: CommandContext, run: Run): void {
  const incident = add('incident', 'declare incidents: writes the files of the folder that the source incidents names');
  const under = (parent: Command) => (usage: string, description: string) =>
    parent.command(usage).description(description).copyInheritedSettings(parent);
  const one = under(incident);
  one('open <title>', 'declare an incident')
    .addOption(new Option('--impact <impact>', 'how bad it is').choices(DECLARED_IMPACTS).default('major'))
    .addOption(serviceOption())
    .option('--anyway', ANYWAY)
    .addOption(new Option('--state <state>', 'its first state').choices(DECLARED_STATES).default('investigating'))
    .addOption(repeated('--covers <id>', 'the id of a detected incident that is the same event'))
    .addOption(messageOption())
    .action(run((title: string, options: NewIncidentOptions) => openIncident(title, options, context)));
  one('update <id>', 'add an update to an incident or to planned maintenance')
    .option('--state <state>', 'its new state; without it, the state stays')
    .requiredOption('--message <text>', MESSAGE)
    .action(
      run((id: string, { state = null, message }: { state?: string | null; message: string }) => updateIncident(id, { state, message }, context)),
    );
  one('resolve <id>', 'end an incident or planned maintenance')
    .addOption(messageOption())
    .action(run((id: string, { message }: { message: string }) => resolveIncident(id, message, context)));
  one('list', 'show the unresolved incidents of the folder, and detected ones that no file covers')
    .option('--all', 'show resolved ones too')
    .option('--json', 'print one JSON array')
    .action(run(({ all = false, json = false }: { all?: boolean; json?: boolean }) => listIncidents({ all, json }, context)));
  const maintenance = add('maintenance', 'announce planned maintenance in the same folder');
  under(maintenance)('plan <title>', 'announce planned maintenance')
    .addOption(timeOption('--from <time>', 'when it begins'))
    .addOption(timeOption('--until <time>', 'when it ends'))
    .addOption(serviceOption())
    .option('--anyway', ANYWAY)
    .addOption(messageOption())
    .action(run((title: string, options: NewMaintenanceOptions) => planMaintenance(title, options, context)));
}

function serviceOption(): Option {
  return repeated('--service <key>', 'the key of an affected service');
}

function messageOption(): Option {
  return new Option('--message <text>', MESSAGE).default('', 'empty');
}

function timeOption(flags: string, description: string): Option {
  return new Option(flags, `${description}, with offset, such as 2026-11-20T22:00:00Z`).makeOptionMandatory().argParser(timeOf);
}
