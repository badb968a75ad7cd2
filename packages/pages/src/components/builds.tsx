import type { Build } from '@vitrine/core';
import type { ComponentChildren } from 'preact';
import { useView, type View } from '../view.js';
import { Section } from './blocks.js';
import { Titled } from './entry-list.js';
import { ExternalLink, Time } from './inline.js';
import { State, toneOf } from './state.js';

/** Runs of builds with their states; nothing without one. */
export function Builds({ builds }: { readonly builds: readonly Build[] }) {
  const view = useView();
  if (builds.length === 0) return null;
  return (
    <Section heading={view.t.record.builds} id="builds" class="panel pad">
      <ul class="list">
        {builds.map((build) => (
          <li key={build.id} class="pair">
            <span>
              <span class="title" dir="auto">
                <ExternalLink href={build.url}>
                  <Titled text={build.name} />
                </ExternalLink>
              </span>
              <span class="meta">{buildFacts(build, view)}</span>
            </span>
            <State state={toneOf.build(build.state)} word={view.t.buildStates[build.state]} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function buildFacts({ number, branch, platform, finishedAt, durationSeconds }: Build, { format }: View): ComponentChildren {
  return (
    <>
      {number === null ? null : <span>#{String(number)}</span>}
      {branch === null ? null : <span dir="auto">{branch}</span>}
      {platform === null ? null : <span dir="auto">{platform}</span>}
      {durationSeconds === null ? null : <span>{format.duration(durationSeconds * 1_000)}</span>}
      {finishedAt === null ? null : <Time at={finishedAt} />}
    </>
  );
}
