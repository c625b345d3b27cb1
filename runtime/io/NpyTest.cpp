// .npy headers, good and bad.
#include "runtime/io/Npy.h"

#include <gtest/gtest.h>

#include <random>

using namespace acis;
using namespace acis::io;

namespace {

std::vector<uint8_t> file(const std::string &dictionary, size_t dataBytes, unsigned version = 1) {
  std::string text = "\x93NUMPY";
  text += static_cast<char>(version);
  text += '\0';
  for (unsigned byte = 0; byte < (version == 1 ? 2u : 4u); ++byte)
    text += static_cast<char>(dictionary.size() >> (8 * byte));
  text += dictionary + std::string(dataBytes, 'x');
  return {text.begin(), text.end()};
}

std::string errorOf(const std::string &dictionary, size_t dataBytes = 0) {
  Result<NpyHeader> header = parseNpy(file(dictionary, dataBytes));
  return header ? "no error" : header.error().what;
}

TEST(Npy, ReadsWhatNumpyWrites) {
  Result<NpyHeader> header =
      parseNpy(file("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }   \n", 24));
  ASSERT_TRUE(header) << header.error().what;
  EXPECT_EQ(header->descr, "<f4");
  EXPECT_EQ(header->itemBytes, 4u);
  EXPECT_EQ(header->shape, (std::vector<uint64_t>{3, 2}));
  EXPECT_EQ(errorOf("{'descr': '|u1', 'fortran_order': False, 'shape': (5,), }\n", 5), "no error");
  EXPECT_EQ(errorOf("{'descr': '<i8', 'fortran_order': False, 'shape': (), }\n", 8), "no error");
  EXPECT_EQ(errorOf("{'descr': '<f8', 'fortran_order': True, 'shape': (2,), }\n", 16), "no error");
  EXPECT_TRUE(parseNpy(file("{'shape': (1,), 'fortran_order': False, 'descr': '<i2'}", 2, 2)));
  EXPECT_TRUE(parseNpy(file("{'shape': (1,), 'fortran_order': False, 'descr': '<i2'}", 2, 3)));
}

TEST(Npy, RoundTrip) {
  for (const std::vector<uint64_t> &shape :
       {std::vector<uint64_t>{}, {0}, {7}, {2, 3}, {1, 2, 3, 4}}) {
    std::vector<uint8_t> bytes = makeNpyHeader("<i4", shape);
    EXPECT_EQ(bytes.size() % 64, 0u);
    size_t count = 4;
    for (uint64_t size : shape)
      count *= size;
    bytes.resize(bytes.size() + count);
    Result<NpyHeader> header = parseNpy(bytes);
    ASSERT_TRUE(header) << header.error().what;
    EXPECT_EQ(header->shape, shape);
    EXPECT_EQ(header->descr, "<i4");
  }
}

TEST(Npy, WrongTypesAndOrders) {
  const std::string tail = "', 'fortran_order': False, 'shape': (1,), }";
  const std::string allowed = "', allowed are <i1, <i2, <i4, <i8, <u1, <u2, <u4, <u8, <f4, <f8";
  for (std::string descr : {">f4", "<f2", "<c8", "|S1", "<i3", "", "|i4", "<f16", "=f4"})
    EXPECT_EQ(errorOf("{'descr': '" + descr + tail, 4),
              "found elements of type '" + descr + allowed);
  EXPECT_EQ(errorOf("{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (1,), }", 4),
            "found an array of records or objects, allowed are numbers");
  EXPECT_EQ(errorOf("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }", 16),
            "found an array in Fortran order, allowed is C order; use numpy.ascontiguousarray");
}

TEST(Npy, DataMustHaveTheSizeOfTheShape) {
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }";
  EXPECT_EQ(errorOf(header, 12), "no error");
  EXPECT_EQ(errorOf(header, 11), "found 11 bytes of data, the shape needs 12");
  EXPECT_EQ(errorOf(header, 13), "found 13 bytes of data, the shape needs 12");
  EXPECT_EQ(errorOf("{'descr': '<f4', 'fortran_order': False, 'shape': "
                    "(4294967296, 4294967296), }"),
            "the shape has more than 2^64 bytes");
}

TEST(Npy, BrokenHeaders) {
  EXPECT_FALSE(parseNpy({}));
  EXPECT_FALSE(parseNpy(file("{}", 0)));
  EXPECT_FALSE(parseNpy(file("{'descr': '<f4'}", 0)));
  EXPECT_FALSE(parseNpy(file("{'descr': '<f4', 'descr': '<f4'}", 0)));
  EXPECT_FALSE(parseNpy(file("{'shape': (1 2)}", 0)));
  EXPECT_FALSE(parseNpy(file("{'shape': (-1,)}", 0)));
  EXPECT_FALSE(parseNpy(file("{'shape': (99999999999999999999999,)}", 0)));
  EXPECT_FALSE(parseNpy(file("{'descr", 0)));
  std::vector<uint8_t> good = file("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", 4);
  for (size_t size = 0; size < good.size(); ++size)
    EXPECT_FALSE(parseNpy(std::span(good).first(size))) << size;
  good[6] = 9;
  EXPECT_EQ(parseNpy(good).error().what, "found version 9, allowed are 1, 2 and 3");
}

TEST(Npy, AnyBytesAreAccepted) {
  std::mt19937 random(3);
  std::vector<uint8_t> good = file("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", 4);
  for (unsigned round = 0; round < 20000; ++round) {
    std::vector<uint8_t> bytes = good;
    for (unsigned change = 1 + random() % 4; change; --change)
      bytes[random() % bytes.size()] = static_cast<uint8_t>(random());
    (void)parseNpy(bytes);
  }
}

} // namespace
