import * as z from 'zod';
import { clickClasses } from '../../model/clicks/clicks.ts';
import { clickFields } from '../../model/clicks/raw-clicks.ts';
import { timestamp, uuid } from '../fields.ts';
import { destinationCheck } from '../links/destination-checks.ts';
import { changesByField } from '../links/history.ts';
import { wholeLink } from '../links/link-answers.ts';

const { clicks: _, lastClickAt: _at, clicksLeft: _left, status: _status, ...stored } = wholeLink.shape;
const { id, shortCode, shortUrl, revision } = stored;
/** A link in an event. Optional fields are omitted if the payload would be too large. */
const link = z
  .object(stored)
  .partial()
  .extend({ id, shortCode, shortUrl, revision, changes: changesByField.optional() })
  .meta({
    id: 'LinkOfEvent',
    description:
      'Snapshot of the link at the time of the event. If the body would exceed 20,000 bytes, `changes` is omitted first, then all optional fields.',
  });
const folder = z
  .object({ id: uuid('Identifier of the folder.'), name: z.string() })
  .meta({ id: 'FolderOfEvent', description: 'Snapshot of the folder at the time of the event.' });
const domain = z
  .object({ id: uuid('Identifier of the domain.'), host: z.string(), status: z.enum(['active', 'failing']) })
  .meta({ id: 'DomainOfEvent', description: 'Snapshot of the domain at the time of the event.' });
const { state, problem, status } = destinationCheck.unwrap().shape;
const destination = z
  .object({ ...link.shape, destinationCheck: z.object({ state, problem, status }).optional() })
  .meta({ id: 'DestinationOfEvent', description: 'The link and the result of the check.' });
const finished = z
  .object({
    id: uuid('Identifier of the import.'),
    source: z.string(),
    counts: z.record(z.string(), z.int()).describe('As in `GET /imports/:id`.'),
  })
  .meta({ id: 'ImportOfEvent', description: 'The import and its results.' });
const fields = clickFields.filter((name) => name !== 'class');
const click = z
  .object({
    linkId: uuid('Identifier of the link.'),
    shortCode: z.string(),
    folderId: z.string().nullable(),
    time: timestamp('When the visitor was redirected.'),
    class: z.enum(clickClasses),
    ...(Object.fromEntries(fields.map((name) => [name, z.string().optional()])) as Record<
      (typeof fields)[number],
      z.ZodOptional<z.ZodString>
    >),
  })
  .meta({ id: 'ClickOfEvent', description: 'A click. Unknown fields are absent.' });

const event = <D extends z.ZodType>(types: readonly [string, ...string[]], data: D) =>
  z.object({ type: z.enum(types), timestamp: timestamp('When the event happened.'), data });

/** Payloads of webhook requests. */
export const webhookEvents = [
  event(
    ['link.created', 'link.updated', 'link.deleted', 'link.restored', 'link.expired', 'link.exhausted'],
    link,
  ),
  event(['destination.failing', 'destination.recovered'], destination),
  event(['folder.created', 'folder.updated', 'folder.deleted', 'folder.restored'], folder),
  event(['domain.active', 'domain.failing'], domain),
  event(['import.finished'], finished),
  event(['link.clicked'], z.object({ clicks: z.array(click) })),
  event(['webhook.test'], z.object({ webhookId: uuid('Identifier of the webhook.') })),
];
