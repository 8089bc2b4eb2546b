import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type FailureCode, type Problem, refused } from './failures.ts';

function problem(field: string, code: FailureCode): Problem {
  return {
    field,
    reason: 'not_allowed',
    message: `${field} is not good.`,
    code,
  };
}

describe('refused', () => {
  test('keeps the code of one kind of problem, however often it occurs', () => {
    assert.equal(refused([problem('url', 'INVALID_URL')]).code, 'INVALID_URL');
    const twice = refused([problem('shortCode', 'IMMUTABLE_FIELD'), problem('url', 'IMMUTABLE_FIELD')]);
    assert.equal(twice.code, 'IMMUTABLE_FIELD');
  });

  test('returns VALIDATION_ERROR for several kinds', () => {
    const many = refused([
      problem('url', 'SELF_REFERENTIAL_URL'),
      problem('customCode', 'INVALID_CUSTOM_CODE'),
    ]);
    assert.equal(many.code, 'VALIDATION_ERROR');
    const withPlain = refused([problem('url', 'INVALID_URL'), problem('title', 'VALIDATION_ERROR')]);
    assert.equal(withPlain.code, 'VALIDATION_ERROR');
  });

  test('names every problem in order, in message and details', () => {
    const problems = [problem('url', 'INVALID_URL'), problem('title', 'VALIDATION_ERROR')];
    const failure = refused(problems);
    assert.equal(failure.message, 'url is not good. title is not good.');
    assert.deepEqual(failure.facts.problems, problems);
    assert.equal(failure.name, 'Failure');
  });
});
