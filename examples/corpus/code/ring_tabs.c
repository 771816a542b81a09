/* A fixed-size ring of samples with a running mean. */
#include <stdio.h>
#include <stddef.h>


#define RING_SIZE 8


struct ring {
	double slot[RING_SIZE];
	size_t next;	/* where the next sample will go */
	size_t used;	/* never more than RING_SIZE */
	double total;	/* sum of the used slots */
};


/* Add a sample, dropping the oldest once the ring is full. */
static void ring_push(struct ring *r, double sample) {
	if (r->used == RING_SIZE) {
		r->total -= r->slot[r->next];
	}
	else {
		r->used++;
	}
	r->slot[r->next] = sample;
	r->total += sample;
	r->next = (r->next + 1) % RING_SIZE;
}


/* The mean of what is held, or zero when nothing is. */
static double ring_mean(const struct ring *r) {
	return r->used ? r->total / (double)r->used : 0.0;
}


int main(void) {
	struct ring r = {0};
	double sample;


	while (scanf("%lf", &sample) == 1) {
		ring_push(&r, sample);
		printf("%.3f\n", ring_mean(&r));
	}
	return 0;
}
