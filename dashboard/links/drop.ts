import { signal } from '@preact/signals';

/** The links that are being dragged. */
export const dragged = signal<readonly string[]>([]);
/** What to do with links that are dropped on a folder; the list says it. */
export const dropLinks = signal<((ids: readonly string[], folderId: string) => void) | undefined>(undefined);

/** Lets links be dropped on a folder at the side. */
export function acceptDrop(folderId: string) {
  const light = (event: DragEvent, isOver: boolean) =>
    (event.currentTarget as HTMLElement).classList.toggle('drop', isOver);
  return {
    onDragOver: (event: DragEvent) => {
      if (dragged.peek().length === 0) return;
      event.preventDefault();
      light(event, true);
    },
    onDragLeave: (event: DragEvent) => light(event, false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      light(event, false);
      const ids = dragged.peek();
      dragged.value = [];
      dropLinks.peek()?.(ids, folderId);
    },
  };
}
