import { signal } from '@preact/signals';

/** Ids of the links being dragged. */
export const dragged = signal<readonly string[]>([]);
/** Handles links that are dropped on a folder. Set by the link list. */
export const dropLinks = signal<((ids: readonly string[], folderId: string) => void) | undefined>(undefined);

/** Makes a folder in the sidebar a drop target for links. */
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
