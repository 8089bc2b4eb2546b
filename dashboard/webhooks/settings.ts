import { webhookInputs } from '../../src/client/link-inputs.ts';

type Setting = (typeof webhookInputs)[number];
const ownControl = ['url', 'events', 'folderIds', 'domainIds', 'tags', 'disabled'] as const;
type OwnControl = (typeof ownControl)[number];

/** Settings without their own form control. `PlainInput` chooses the control for each setting by its kind. */
export const plainSettings = webhookInputs.filter(
  (setting): setting is Exclude<Setting, { name: OwnControl }> =>
    !(ownControl as readonly string[]).includes(setting.name),
);
export type PlainSetting = (typeof plainSettings)[number]['name'];
