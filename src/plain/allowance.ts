/** An amount of something that many share. */
export interface Allowance {
  /** Takes so much, all or nothing; false when there is not enough left. */
  take(amount: number): boolean;
  /** Gives back so much of what was taken. */
  give(amount: number): void;
}

/** An allowance of which nothing is taken yet. */
export function allowanceOf(most: number): Allowance {
  let left = most;
  return {
    take(amount) {
      if (amount > left) return false;
      left -= amount;
      return true;
    },
    give(amount) {
      left += amount;
    },
  };
}
