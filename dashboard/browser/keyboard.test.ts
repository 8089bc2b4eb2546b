import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeyboard, type Press } from './keyboard.ts';

function press(key: string, changes: Partial<Press> = {}): Press {
  return { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, isInText: false, ...changes };
}

test('sends a key press to the topmost layer that handles it; a dialog blocks all below', () => {
  const heard: string[] = [];
  const keyboard = createKeyboard();
  const hear = (name: string) => () => {
    heard.push(name);
  };
  keyboard.add({ shortcuts: () => ({ c: hear('page c'), z: hear('page z'), escape: hear('page escape') }) });
  const away = keyboard.add({ shortcuts: () => ({ c: hear('list c'), z: () => false }) });
  assert.ok(keyboard.press(press('c')));
  assert.ok(keyboard.press(press('z')), 'the list has no use for it');
  // The screen's shortcuts are added when the screen is mounted, which is after its components have added theirs.
  keyboard.add({
    isEverywhere: true,
    shortcuts: () => ({ c: hear('everywhere c'), '?': hear('everywhere ?') }),
  });
  assert.ok(keyboard.press(press('c')));
  assert.ok(keyboard.press(press('?')));
  const close = keyboard.add({ isModal: true, shortcuts: () => ({ escape: hear('dialog escape') }) });
  assert.ok(!keyboard.press(press('c')));
  assert.ok(keyboard.press(press('Escape')));
  close();
  away();
  keyboard.press(press('C'));
  keyboard.press(press('Escape'));
  assert.deepEqual(heard, [
    'list c',
    'page z',
    'list c',
    'everywhere ?',
    'dialog escape',
    'page c',
    'page escape',
  ]);
});

test('types letters in text fields; ignores shortcuts when they are disabled', () => {
  const heard: string[] = [];
  const keyboard = createKeyboard();
  const names = ['c', '?', 'mod+enter', 'escape', 'backspace', 'arrowdown'];
  keyboard.add({ shortcuts: () => Object.fromEntries(names.map((name) => [name, () => heard.push(name)])) });
  for (const key of ['c', '?', 'Escape', 'Backspace', 'ArrowDown'])
    keyboard.press(press(key, { isInText: true }));
  keyboard.press(press('Enter', { isInText: true, metaKey: true }));
  assert.deepEqual(heard.splice(0), ['escape', 'mod+enter']);
  keyboard.lettersAct = false;
  for (const key of ['c', 'ArrowDown', 'Backspace']) keyboard.press(press(key));
  assert.deepEqual(heard, ['arrowdown', 'backspace']);
});

test('treats two quick presses as one shortcut; ignores AltGr and modifiers alone', () => {
  const heard: string[] = [];
  let now = 5_000;
  const keyboard = createKeyboard(() => now);
  keyboard.add({ shortcuts: () => ({ 'g l': () => heard.push('g l'), l: () => heard.push('l') }) });
  keyboard.press(press('g'));
  now += 400;
  keyboard.press(press('l'));
  keyboard.press(press('g'));
  now += 5_000;
  keyboard.press(press('l'));
  assert.ok(!keyboard.press(press('Shift', { shiftKey: true })));
  assert.ok(!keyboard.press(press('l', { altKey: true })));
  assert.ok(!keyboard.press(press('l', { ctrlKey: true })), 'Ctrl+L is the browser’s');
  assert.deepEqual(heard, ['g l', 'l']);
});
