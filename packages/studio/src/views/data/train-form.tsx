import type { CompletedConfig, ConfigOption, OptionValue, Training } from 'evenhand/studio';
import { useEffect, useState } from 'preact/hooks';
import { go } from '../../navigation/route.js';
import { optionText } from '../../parts/format.js';
import { Fault, Loading } from '../../parts/notices.js';
import { useAnswer } from '../../parts/use-answer.js';
import { ask, messageOf, send } from '../../server/api.js';
import { type DataChoice, fieldValue, givenConfig } from './given-config.js';

/** Options that the page has other means for. */
const ELSEWHERE: readonly string[] = ['data.source', 'data.target', 'data.ignore', 'data.types'];
/** What most people look for. */
const FIRST: readonly string[] = ['method.name', 'model.name', 'epochs', 'optimizer.learningRate', 'time', 'seed'];
const OPENING_AFTER = 600;

/** A form made from the configuration's schema, with the default that would be taken in every field. */
export function TrainForm({ choice }: { readonly choice: DataChoice }) {
  const { answer: options, fault } = useAnswer<readonly ConfigOption[]>('/api/options');
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map());
  const [said, setSaid] = useState<string | undefined>(undefined);
  const [isStarting, setStarting] = useState(false);
  const fields = new Map(
    (options ?? []).flatMap((option) => {
      const value = fieldValue(option, texts.get(option.path) ?? '');
      return value === undefined ? [] : [[option.path, value] as const];
    }),
  );
  const given = givenConfig(choice, fields);
  const { config, problem } = useCompleted(JSON.stringify(given));
  if (fault !== undefined) return <Fault message={fault} />;
  if (options === undefined) return <Loading what="Reading the options" />;
  const shown = options.filter((option) => !ELSEWHERE.includes(option.path) && isOfKind(option, config));
  const field = (option: ConfigOption) => (
    <Field
      key={option.path}
      option={option}
      value={texts.get(option.path) ?? ''}
      fallback={config?.[option.path]}
      onChange={(text) => setTexts(new Map([...texts, [option.path, text]]))}
    />
  );
  const sections = [...new Set(shown.map(({ path }) => sectionOf(path))).add('')].sort(
    (a, b) => Number(a === '') - Number(b === ''),
  );
  const start = (event: Event) => {
    event.preventDefault();
    setStarting(true);
    setSaid(undefined);
    startTraining(given).then(
      (id) => go(['runs', id]),
      (error: unknown) => {
        setStarting(false);
        setSaid(messageOf(error));
      },
    );
  };
  return (
    <form class="fields" onSubmit={start}>
      <h2>Train</h2>
      <p class="note">The grey values are the defaults for empty fields.</p>
      <div class="field-grid">{FIRST.flatMap((path) => shown.filter((option) => option.path === path)).map(field)}</div>
      {sections.map((section) => {
        const inside = shown.filter(({ path }) => sectionOf(path) === section && !FIRST.includes(path));
        return inside.length === 0 ? null : (
          <details key={section}>
            <summary>{section === '' ? 'other options' : `${section}: more options`}</summary>
            <div class="field-grid">{inside.map(field)}</div>
          </details>
        );
      })}
      {problem === null ? null : <Fault message={problem} />}
      {said === undefined ? null : <Fault message={said} />}
      <p>
        <button type="submit" class="primary" disabled={isStarting || problem !== null}>
          Train
        </button>{' '}
        {isStarting ? <span role="status">starting…</span> : null}
      </p>
    </form>
  );
}

function sectionOf(path: string): string {
  return path.includes('.') ? path.replace(/\..*$/, '') : '';
}

/** Options of another method or model than the one that is chosen are not shown. */
function isOfKind({ path, kinds }: ConfigOption, config: Readonly<Record<string, OptionValue>> | null): boolean {
  if (kinds.length === 0 || path.endsWith('.name')) return true;
  const name = config?.[`${sectionOf(path)}.name`];
  return typeof name === 'string' && kinds.includes(name);
}

interface FieldProps {
  readonly option: ConfigOption;
  readonly value: string;
  /** What is taken if it is empty. */
  readonly fallback: OptionValue | undefined;
  onChange(text: string): void;
}

function Field({ option: { path, description, values }, value, fallback, onChange }: FieldProps) {
  const words = values === 'boolean' ? ['true', 'false'] : values.includes('|') ? values.split('|') : [];
  const shown = fallback == null ? 'none' : optionText(fallback);
  const id = `option ${path}`.replaceAll(/[ .]/g, '-');
  return (
    <div class="field" title={description}>
      <label for={id}>{path}</label>
      {words.length > 0 ? (
        <select id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          <option value="">{shown}</option>
          {words.map((word) => (
            <option key={word} value={word}>
              {word}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          value={value}
          placeholder={shown}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
      <span class="note">{description}</span>
    </div>
  );
}

/** Every option with the value that it would have; asked a moment after the last letter. */
function useCompleted(given: string): CompletedConfig {
  const [completed, setCompleted] = useState<CompletedConfig>({ config: null, problem: null });
  useEffect(() => {
    let isOver = false;
    const tell = (found: CompletedConfig) => {
      // What was valid before stays in the fields while a value is being typed.
      if (!isOver) setCompleted((before) => ({ config: found.config ?? before.config, problem: found.problem }));
    };
    const timer = setTimeout(() => {
      send<CompletedConfig>('POST', '/api/config', JSON.parse(given)).then(tell, (error: unknown) =>
        tell({ config: null, problem: messageOf(error) }),
      );
    }, 150);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [given]);
  return completed;
}

/** Starts a training and waits until it has a folder. @returns the id of its run */
async function startTraining(given: object): Promise<string> {
  const { id } = await send<Training>('POST', '/api/trainings', given);
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, OPENING_AFTER));
    const trainings = await ask<readonly Training[]>('/api/trainings');
    const own = trainings.find((training) => training.id === id);
    if (own?.state === 'failed') throw new Error(own.message ?? 'The training failed.');
    if (await isListed(id)) return id;
    if (own?.state !== 'running') throw new Error('The training ended before its run began.');
  }
}

async function isListed(id: string): Promise<boolean> {
  return ask(`/api/runs/${id}`).then(
    () => true,
    () => false,
  );
}
