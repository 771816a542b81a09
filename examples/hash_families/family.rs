//! `HashFamily`: functions that tend to agree on near points, and their amplification by AND and OR.
//!
//! A function computes keys of a point. It *declares* two points a candidate pair if they have an equal key at the same
//! index. A function of a simple family has one key. OR concatenates the keys of its members. AND requires all its
//! members to agree: it has a key for each combination of one key per member, which is a hash of these keys.

use xxhash_rust::xxh3::xxh3_64;

use super::draws::Draws;

/// Maximum number of keys of one function.
pub const MAX_KEYS: usize = 1 << 16;

/// A family of locality-sensitive functions over points of one kind, with a distance (Indyk and Motwani 1998; MMDS 3.6).
///
/// The family is (d1, d2, p1, p2)-*sensitive*: a random function declares points at distance d1 or less a candidate
/// pair with probability at least p1, and points at distance d2 or more with probability at most p2.
/// [`chance`](Self::chance) is that probability for each distance, and [`sensitivity`](Self::sensitivity) derives p1
/// and p2 for any two distances.
///
/// [`and`](Self::and) and [`or`](Self::or) build families from families: `HyperplaneFamily::new(3).and(5).or(20)` has 20
/// bands of 5 hyperplanes.
pub trait HashFamily {
    /// The type of points that are hashed.
    type Point: ?Sized;
    /// The type of the family's functions.
    type Function: HashFunction<Point = Self::Point>;

    /// Draws a random function.
    fn draw(&self, draws: &mut Draws) -> Self::Function;

    /// Number of keys of a function.
    fn num_keys(&self) -> usize {
        1
    }

    /// Maximum distance, in the unit of the family; infinite if distances have no bound.
    fn max_distance(&self) -> f64;

    /// The probability that a random function declares two points at this distance a candidate pair; if only bounds are
    /// known, the lower bound. It does not increase with the distance.
    ///
    /// * `distance`: from 0 to [`max_distance`](Self::max_distance), in the unit of the family.
    fn chance(&self, distance: f64) -> f64;

    /// The probability that a random function declares two points at this distance a candidate pair; if only bounds are
    /// known, the upper bound.
    fn most_chance(&self, distance: f64) -> f64 {
        self.chance(distance)
    }

    /// The guarantee of the family for points at distance `d1` or less, and at distance `d2` or more.
    ///
    /// # Panics
    /// When `d1` is greater than `d2`, or one of them is not a valid distance.
    fn sensitivity(&self, d1: f64, d2: f64) -> Sensitivity {
        assert!(0.0 <= d1 && d1 <= d2 && d2 <= self.max_distance(), "0 <= d1 <= d2 <= the greatest distance");
        Sensitivity { d1, d2, p1: self.chance(d1), p2: self.most_chance(d2) }
    }

    /// The family whose functions declare a pair if all of `rows` functions declare it: p becomes p^rows.
    ///
    /// # Panics
    /// When `rows` is 0, or a function would have more than [`MAX_KEYS`] keys.
    fn and(self, rows: usize) -> And<Self>
    where
        Self: Sized,
    {
        let num_keys = u32::try_from(rows).ok().and_then(|rows| self.num_keys().checked_pow(rows));
        assert!(rows > 0 && num_keys.is_some_and(|keys| keys <= MAX_KEYS), "from 1 row up, and not too many keys");
        And { family: self, rows }
    }

    /// The family whose functions declare a pair if at least one of `bands` functions declares it: p becomes 1 − (1 −
    /// p)^bands.
    ///
    /// # Panics
    /// When `bands` is 0, or a function would have more than [`MAX_KEYS`] keys.
    fn or(self, bands: usize) -> Or<Self>
    where
        Self: Sized,
    {
        let num_keys = self.num_keys().checked_mul(bands);
        assert!(bands > 0 && num_keys.is_some_and(|keys| keys <= MAX_KEYS), "from 1 band up, and not too many keys");
        Or { family: self, bands }
    }
}

/// A function of a family, which computes keys of points.
pub trait HashFunction {
    /// The type of points that are hashed.
    type Point: ?Sized;

    /// Number of keys of each point.
    fn num_keys(&self) -> usize;

    /// Appends the keys of a point.
    ///
    /// # Panics
    /// When the point does not belong to the family, such as a vector of other dimensions.
    fn push_keys(&self, point: &Self::Point, keys: &mut Vec<u64>);

    /// The keys of a point. Different keys of combined functions are equal with probability 2⁻⁶⁴ each.
    fn keys(&self, point: &Self::Point) -> Vec<u64> {
        let mut keys = Vec::with_capacity(self.num_keys());
        self.push_keys(point, &mut keys);
        keys
    }

    /// Whether two points have an equal key at the same index.
    fn declares(&self, a: &Self::Point, b: &Self::Point) -> bool {
        self.keys(a).iter().zip(self.keys(b)).any(|(a, b)| *a == b)
    }
}

/// The guarantee of a family (MMDS 3.6.1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sensitivity {
    /// Near points are at this distance or less.
    pub d1: f64,
    /// Far points are at this distance or more.
    pub d2: f64,
    /// Minimum probability that near points become a candidate pair.
    pub p1: f64,
    /// Maximum probability that far points become a candidate pair.
    pub p2: f64,
}

/// A family of functions that declare a pair if all of several functions declare it; see [`HashFamily::and`].
#[derive(Debug, Clone)]
pub struct And<F> {
    family: F,
    rows: usize,
}

/// A family of functions that declare a pair if at least one of several functions declares it; see [`HashFamily::or`].
#[derive(Debug, Clone)]
pub struct Or<F> {
    family: F,
    bands: usize,
}

/// A function of [`And`].
#[derive(Debug, Clone)]
pub struct AllOf<H>(Box<[H]>);

/// A function of [`Or`].
#[derive(Debug, Clone)]
pub struct AnyOf<H>(Box<[H]>);

impl<F: HashFamily> HashFamily for And<F> {
    type Point = F::Point;
    type Function = AllOf<F::Function>;

    fn draw(&self, draws: &mut Draws) -> Self::Function {
        AllOf((0..self.rows).map(|_| self.family.draw(draws)).collect())
    }

    fn num_keys(&self) -> usize {
        self.family.num_keys().pow(self.rows as u32)
    }

    fn max_distance(&self) -> f64 {
        self.family.max_distance()
    }

    fn chance(&self, distance: f64) -> f64 {
        all(self.family.chance(distance), self.rows)
    }

    fn most_chance(&self, distance: f64) -> f64 {
        all(self.family.most_chance(distance), self.rows)
    }
}

impl<F: HashFamily> HashFamily for Or<F> {
    type Point = F::Point;
    type Function = AnyOf<F::Function>;

    fn draw(&self, draws: &mut Draws) -> Self::Function {
        AnyOf((0..self.bands).map(|_| self.family.draw(draws)).collect())
    }

    fn num_keys(&self) -> usize {
        self.family.num_keys() * self.bands
    }

    fn max_distance(&self) -> f64 {
        self.family.max_distance()
    }

    fn chance(&self, distance: f64) -> f64 {
        any(self.family.chance(distance), self.bands)
    }

    fn most_chance(&self, distance: f64) -> f64 {
        any(self.family.most_chance(distance), self.bands)
    }
}

/// p^n.
fn all(chance: f64, count: usize) -> f64 {
    chance.powf(count as f64)
}

/// 1 − (1 − p)^n, by logarithms, since p may be far below the precision of 1.
fn any(chance: f64, count: usize) -> f64 {
    -(count as f64 * (-chance).ln_1p()).exp_m1()
}

impl<H: HashFunction> HashFunction for AllOf<H> {
    type Point = H::Point;

    fn num_keys(&self) -> usize {
        self.0.iter().map(H::num_keys).product()
    }

    fn push_keys(&self, point: &Self::Point, keys: &mut Vec<u64>) {
        let members: Vec<Vec<u64>> = self.0.iter().map(|member| member.keys(point)).collect();
        let mut bytes = vec![0; 8 * members.len()];
        // The digits of `way` select one key of each member.
        for mut way in 0..self.num_keys() {
            for (member, bytes) in members.iter().zip(bytes.chunks_exact_mut(8)) {
                bytes.copy_from_slice(&member[way % member.len()].to_le_bytes());
                way /= member.len();
            }
            keys.push(xxh3_64(&bytes));
        }
    }
}

impl<H: HashFunction> HashFunction for AnyOf<H> {
    type Point = H::Point;

    fn num_keys(&self) -> usize {
        self.0.iter().map(H::num_keys).sum()
    }

    fn push_keys(&self, point: &Self::Point, keys: &mut Vec<u64>) {
        self.0.iter().for_each(|member| member.push_keys(point, keys));
    }
}
