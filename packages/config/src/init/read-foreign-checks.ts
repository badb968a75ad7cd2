import { errorCodeOf, FileError, readWholeFile } from '../files/open-regular-file.js';
import { MOST_CONFIG_BYTES } from '../heavy-yaml.js';
import { YamlFile } from '../yaml-file.js';
import { ConfigError, pathText } from '../validation/problems.js';
import type { ForeignChecks, ForeignFile } from './foreign-check.js';
import { at } from '../places.js';
import { readGatus } from './gatus.js';
import { readUptimeKuma } from './uptime-kuma.js';
import { readUpptime } from './upptime.js';

const FORMS = 'the config.yaml of Gatus, the .upptimerc.yml of Upptime, or a JSON backup of Uptime Kuma';

/** The checks in the configuration of another monitor. Rejects with a {@link ConfigError} if the file cannot be read or is none of the three known ones. */
export async function readForeignChecks(file: string): Promise<ForeignChecks> {
  const content = await readWholeFile(file, MOST_CONFIG_BYTES).catch((error: unknown) => {
    const problem = error instanceof FileError ? error.problem : `cannot be read (${errorCodeOf(error) ?? 'unknown'})`;
    throw new ConfigError([`${file}: ${problem}; name ${FORMS}`]);
  });
  return foreignChecks(content.toString(), file);
}

/** JSON is YAML too. */
export function foreignChecks(text: string, file: string): ForeignChecks {
  const yaml = parsed(text, file);
  const { value } = yaml;
  const read = readerOf(value);
  if (read === null) throw new ConfigError([`${file}: has no monitorList, sites or endpoints; name ${FORMS}`]);
  const { checks, leftOut, ...foreign } = read(value);
  const repeated = yaml.duplicateKeys().map(({ path }) => `${pathText(path)}: is written twice, and the last one counts`);
  return {
    ...foreign,
    checks: checks.filter((one) => typeof one !== 'string'),
    leftOut: [...repeated, ...checks.filter((one) => typeof one === 'string'), ...leftOut],
  };
}

/** A file that is no YAML at all has a problem in each line, so only the first one is told. */
function parsed(text: string, file: string): YamlFile {
  try {
    return new YamlFile(text, file, { mergesKeys: true });
  } catch (error) {
    const [first] = error instanceof ConfigError ? error.problems : [];
    throw first === undefined ? error : new ConfigError([`${first}; correct it, or name ${FORMS}`]);
  }
}

function readerOf(value: unknown): ((value: unknown) => ForeignFile) | null {
  const has = (key: string): boolean => typeof at(value, key) === 'object' && at(value, key) !== null;
  if (has('monitorList')) return readUptimeKuma;
  if (has('sites')) return readUpptime;
  const isGatus = has('endpoints') || has('external-endpoints') || (Array.isArray(at(value, 'services')) && at(value, 'approved') === undefined);
  return isGatus ? readGatus : null;
}
