/* Cubes: six sides, each an element of an array: +x, -x, +y, -y, +z, -z. (SNB PRM vol 4.1, Cube Faces) */
#include "shared_function/image.h"

#include <math.h>

/* For each face of the cube: the major axis with its sign, and the axes of columns and rows. */
static const struct {
    uint8_t axis, column, row;
    int8_t sign, column_sign, row_sign;
} sides[CUBE_SIDES] = {{0, 2, 1, 1, -1, -1}, {0, 2, 1, -1, 1, -1}, {1, 0, 2, 1, 1, 1},
                       {1, 0, 2, -1, 1, -1}, {2, 0, 1, 1, 1, -1},  {2, 0, 1, -1, -1, -1}};

/* The side that the longest component shows; of equals z, then y. */
static unsigned side_of(const double direction[3])
{
    const double x = fabs(direction[0]), y = fabs(direction[1]), z = fabs(direction[2]);
    const unsigned axis = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
    return axis * 2u + (direction[axis] < 0);
}

struct cube_place cube_place(const double direction[3])
{
    const unsigned side = side_of(direction);
    const double length = fabs(direction[sides[side].axis]);
    const double column = sides[side].column_sign * direction[sides[side].column],
                 row = sides[side].row_sign * direction[sides[side].row];
    if (!(length > 0))
        return (struct cube_place){side, {0.5, 0.5}};
    return (struct cube_place){side, {(column / length + 1) / 2, (row / length + 1) / 2}};
}

/* The derivative of the face coordinates by the direction. */
void cube_gradient(const double direction[3], const double change[3], double moved[2])
{
    const unsigned side = side_of(direction), axis = sides[side].axis;
    const double length = fabs(direction[axis]), longer = sides[side].sign * change[axis];
    const uint8_t along[2] = {sides[side].column, sides[side].row};
    const int8_t signs[2] = {sides[side].column_sign, sides[side].row_sign};
    for (unsigned d = 0; d < 2; d++)
        moved[d] = length > 0 ? signs[d] * (change[along[d]] * length - direction[along[d]] * longer) /
                                    (2 * length * length)
                              : 0;
}

/* Moves a direction to the plane of a side. False: it points away from it. */
static bool cube_project(unsigned side, const double direction[3], double at[2])
{
    const double length = sides[side].sign * direction[sides[side].axis];
    at[0] = sides[side].column_sign * direction[sides[side].column] / (2 * length);
    at[1] = sides[side].row_sign * direction[sides[side].row] / (2 * length);
    return length > 0;
}

void cube_difference(const double direction[3], const double from[3], const double to[3], double moved[2])
{
    const unsigned side = side_of(direction);
    double first[2], second[2];
    if (cube_project(side, from, first) && cube_project(side, to, second)) {
        for (unsigned d = 0; d < 2; d++)
            moved[d] = second[d] - first[d];
        return;
    }
    const double change[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    cube_gradient(direction, change, moved);
}

/* A texel beyond one edge of a side is the other side's that has this edge. */
void cube_cross(unsigned *side, int64_t at[2], uint32_t size)
{
    double direction[3] = {0};
    const unsigned from = *side;
    direction[sides[from].axis] = sides[from].sign;
    direction[sides[from].column] = sides[from].column_sign * ((double)(2 * at[0] + 1) / size - 1);
    direction[sides[from].row] = sides[from].row_sign * ((double)(2 * at[1] + 1) / size - 1);
    const struct cube_place to = cube_place(direction);
    *side = to.side;
    for (unsigned d = 0; d < 2; d++) {
        const int64_t texel = (int64_t)floor(to.at[d] * size);
        at[d] = texel < 0 ? 0 : texel < size ? texel : (int64_t)size - 1;
    }
}
