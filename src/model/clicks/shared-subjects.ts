/** The kinds of subjects whose statistics a share can show; the id of a campaign is its name. */
export const sharedKinds = ['link', 'folder', 'tag', 'campaign'] as const;
export interface SharedSubject {
  readonly kind: (typeof sharedKinds)[number];
  readonly id: string;
}
/** The limit of subjects of a share. */
export const maxSubjects = 4;
