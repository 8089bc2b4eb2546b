/** The kinds of subjects whose statistics a share can show. A campaign's id is its name. */
export const sharedKinds = ['link', 'folder', 'tag', 'campaign'] as const;
export interface SharedSubject {
  readonly kind: (typeof sharedKinds)[number];
  readonly id: string;
}
/** Maximum number of subjects per share. */
export const maxSubjects = 4;
